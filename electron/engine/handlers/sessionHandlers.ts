import { join } from 'node:path';
import type { InputOf } from '../../../shared/contract/api.ts';
import type { Envelope, SessionEvent } from '../../../shared/model/event.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { startPersonCall } from '../openSession/personCall.ts';
import { realFolder } from '../project/projects.ts';
import type { Handlers } from '../serve.ts';
import { exportSession } from '../session/exportSession.ts';
import { isRewind, pointBefore, stateBefore } from '../session/forkPoint.ts';
import type { LiveSession } from '../session/openings.ts';
import { rewindSession } from '../session/rewindSession.ts';
import { searchSessions } from '../session/searchSessions.ts';
import type { Sessions } from '../session/sessions.ts';
import { setAside } from '../session/setAside.ts';
import { createSpendLedger } from '../session/spend.ts';
import { partBefore, withNewestPart } from '../session/timelineParts.ts';
import { shareContents } from '../workspace/contents.ts';
import { done, type HandlerDeps, withOpenedSession, withProject, withSession } from './handlerDeps.ts';

type Methods = Extract<keyof Handlers, `session.${string}`> | 'mention.find' | 'usage.today';

/** Suggestions that take longer come too late for who types. */
const suggestMs = 5_000;

export function sessionHandlers(deps: HandlerDeps): Pick<Handlers, Methods> {
  const { sessions, openedSessions, hub, models, redact } = deps;
  const withLive = <T>(id: string, act: (live: LiveSession) => Result<T> | Promise<Result<T>>): Promise<Result<T>> =>
    withSession(deps, id, act);
  const emitting = (id: string, event: SessionEvent): Promise<Result<Record<string, never>>> =>
    withLive(id, ({ session }) => {
      session.emit(event);
      return ok({});
    });

  const ledger = createSpendLedger(join(deps.ports.places.state, 'spend'), deps.ports.clock);
  return {
    'session.create': async (given) => createSession(deps, given),
    'session.watch': ({ session: id }, peer) =>
      withLive(id, ({ session }) => {
        peer.keep(
          `session ${id}`,
          hub.watch(id, (envelope: Envelope) => peer.post({ kind: 'event', envelope })),
        );
        return ok({ seq: session.seq, state: withNewestPart(session.state), draft: session.draft });
      }),
    'session.items': ({ session: id, before }) =>
      withLive(id, ({ session }) => ok(partBefore(session.state.items, before))),
    async 'session.unwatch'({ session }, peer) {
      peer.drop(`session ${session}`);
      return ok({});
    },
    'session.send': ({ session: id, text, attachments }) => withLive(id, ({ agent }) => agent.send(text, attachments)),
    'mention.find': (asked) => findMentions(deps, asked),
    'session.context': ({ session }) =>
      withLive(session, async () => {
        const use = await openedSessions.contextUse(session);
        return use.ok ? ok({ use: use.value }) : use;
      }),
    'session.model': async ({ session }) => {
      const asked =
        session === undefined
          ? models.asked({ provider: '', model: '' })
          : await withLive(session, () => openedSessions.askedModel(session));
      return asked.ok ? ok({ model: asked.value }) : asked;
    },
    'usage.today': async () => ok({ usage: ledger.today() }),
    'session.unqueue': ({ session, id }) => emitting(session, { type: 'message.unqueued', id }),
    'session.moveQueued': ({ session, id, before }) => emitting(session, { type: 'message.moved', id, before }),
    'session.stop': ({ session }) =>
      withLive(session, ({ agent }) => {
        void agent.stop(); // answers at once; `turn.finished` tells when it has ended
        return ok({});
      }),
    'session.continue': ({ session }) => withLive(session, ({ agent }) => agent.proceed()),
    'session.draft': ({ session: id, text }) =>
      withLive(id, ({ session }) => {
        session.setDraft(text);
        return ok({});
      }),
    'session.rename': ({ session, title }) => emitting(session, { type: 'session.renamed', title }),
    'session.setAside': ({ session: id, path }) => withLive(id, ({ session }) => setAside(session.state, path)),
    'session.archive': ({ session, archived }) => emitting(session, { type: 'session.archived', archived }),
    async 'session.delete'({ session }) {
      return done(await sessions.delete(session));
    },
    async 'session.copyReadable'({ session: id, project }) {
      const made = sessions.copyReadable(id, project);
      if (!made.ok) return made;
      await shareContents(sessions.contentsOf(id), sessions.contentsOf(made.value.session.id));
      return ok({ session: made.value.session.id });
    },
    'session.fork': (asked) =>
      withLive(asked.session, ({ session, agent }) => {
        if (agent.running) return fail('UNAVAILABLE', 'Stop the running turn before you fork the session.');
        return forkAt(sessions, session.id, asked);
      }),
    'session.rewind': ({ session: id, to, what, preview = false }) =>
      withOpenedSession(deps, id, ({ session, hands }, { agent }) => {
        const parts = { session, hands, read: () => sessions.read(id) };
        return agent.apart(() => rewindSession(parts, { to, what, preview }));
      }),
    'session.configure': ({ session, mode, provider, model, allow, effort, maxCost, appliesEdits }) =>
      withLive(session, ({ session: open, agent }) => {
        if (agent.running && mode !== undefined)
          return fail('UNAVAILABLE', 'The mode can be changed when the turn has ended.');
        if (effort) {
          const { state } = open;
          const checked = models.check({ provider: provider ?? state.provider, model: model ?? state.model, effort });
          if (!checked.ok) return checked;
        }
        // An effort of one model is none of another.
        const isOther = model !== undefined && model !== open.state.model;
        const level = effort ?? (isOther ? '' : undefined);
        open.emit({ type: 'session.configured', mode, provider, model, allow, effort: level, maxCost, appliesEdits });
        // More may be allowed now: what waits is looked at again.
        if (allow !== undefined || appliesEdits) openedSessions.of(session)?.gate.recheck();
        return ok({});
      }),
    'session.init': ({ session, replace = false }) => withLive(session, ({ agent }) => agent.init(replace)),
    'session.movePhase': ({ session, phase }) => withLive(session, ({ agent }) => done(agent.movePhase(phase))),
    'session.setTodos': ({ session, todos }) => emitting(session, { type: 'todos.changed', todos, by: 'person' }),
    'session.callTool': ({ session, tool, input }) =>
      withOpenedSession(deps, session, async (opened) => {
        const started = await startPersonCall(opened, tool, input, deps.ports.log);
        return started.ok ? ok({ call: started.value.call }) : started;
      }),
    'session.export': ({ session: id, format }) =>
      withLive(id, async ({ session }) =>
        ok({ text: redact(await exportSession(session.state, format, sessions.contentsOf(id))) }),
      ),
    'session.search': async ({ query, project: only }) => ok({ hits: searchSessions(sessions, query, only) }),
  };
}

/** A new session with the facts up to a timeline item or a rewind; what had begun then and not ended is left out. */
async function forkAt(
  sessions: Sessions,
  id: string,
  at: InputOf<'session.fork'>,
): Promise<Result<{ session: string }>> {
  const read = sessions.read(id);
  if (!read.ok) return read;
  const [first, ...rest] = read.value;
  if (first?.event.type !== 'session.started')
    return fail('CONFIG_INVALID', 'The journal does not begin with its session.');
  const kept =
    'item' in at ? pointBefore(read.value, at.item, true).seq : stateBefore(read.value, isRewind(at.rewind))?.seq;
  if (kept === undefined) return fail('VALIDATION_ERROR', 'There was no such rewind in this session.');
  const { project, lane, title, mode, provider, model } = first.event;
  const made = sessions.create({
    project,
    lane,
    title: title === '' ? '' : `${title} (fork)`,
    mode,
    provider,
    model,
    past: rest.filter(({ seq }) => seq <= kept).flatMap(({ event }) => withoutLeave(event)),
    parent: { id, seq: kept },
  });
  if (!made.ok) return made;
  const { session } = made.value;
  // What the facts name must be there too: pictures, and what undo puts back.
  await shareContents(sessions.contentsOf(id), sessions.contentsOf(session.id));
  return ok({ session: session.id });
}

/** What the person allowed one session, a copy of it has to be allowed anew. */
function withoutLeave(event: SessionEvent): readonly SessionEvent[] {
  if (event.type === 'permission.granted') return [];
  if (event.type !== 'session.configured') return [event];
  const { allow: _allow, appliesEdits: _applies, ...rest } = event;
  return [rest];
}

function createSession(
  { sessions, config, models }: HandlerDeps,
  { project: path, title, mode, provider, model, effort }: InputOf<'session.create'>,
): Result<{ session: string }> {
  const real = realFolder(path);
  if (!real.ok) return real;
  const usual = models.defaults(real.value);
  const choice = {
    provider: provider ?? usual.provider,
    model: model ?? (provider === undefined || provider === usual.provider ? usual.model : ''),
  };
  const fits = effort ? models.check({ ...choice, effort }) : ok(undefined);
  if (!fits.ok) return fits;
  const made = sessions.create({
    project: real.value,
    title: title ?? '',
    mode: mode ?? config.settings.mode,
    ...choice,
  });
  if (made.ok && effort) made.value.session.emit({ type: 'session.configured', effort });
  return made.ok ? ok({ session: made.value.session.id }) : made;
}

const findMentions = (
  deps: HandlerDeps,
  { project, session, query, limit }: Parameters<Handlers['mention.find']>[0],
): ReturnType<Handlers['mention.find']> =>
  withProject(deps, project, async ({ look, bridge }) => {
    const { suggestMentions } = await import('../session/mentions/suggestMentions.ts');
    // Only of a session that is open: completing a word is no reason to open one.
    const state = session === undefined ? undefined : deps.sessions.live(session)?.session.state;
    const parts = { look, state, resources: bridge.texts.known()?.resources };
    const found = await suggestMentions(parts, query, limit, AbortSignal.timeout(suggestMs));
    return found.ok ? ok({ choices: found.value }) : found;
  });
