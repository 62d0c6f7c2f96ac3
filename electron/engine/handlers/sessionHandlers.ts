import type { ContextUse } from '../../../shared/model/contextUse.ts';
import type { Envelope, SessionEvent } from '../../../shared/model/event.ts';
import type { Mode } from '../../../shared/model/phase.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Redact } from '../base/redact.ts';
import type { Hub } from '../hub.ts';
import type { Handlers } from '../serve.ts';
import { exportJson, exportMarkdown } from '../session/exportSession.ts';
import { lastFactBefore } from '../session/forkPoint.ts';
import { searchSessions } from '../session/searchSessions.ts';
import type { LiveSession, Sessions } from '../session/sessions.ts';
import type { Look } from '../workspace/look.ts';

export interface SessionHandlerDeps {
  readonly sessions: Sessions;
  readonly hub: Hub;
  /** What a new session starts with when nothing is said. */
  readonly defaults: (project: string) => { readonly mode: Mode; readonly provider: string; readonly model: string };
  /** The real path of a project that may be worked on. */
  readonly project: (path: string) => Result<string>;
  /** The look of an open project. Errors: those of opening it. */
  readonly look: (project: string) => Promise<Result<Look>>;
  /** What the next request of an open session would fill. */
  readonly contextUse: (session: string) => Promise<Result<ContextUse>>;
  /** What waits is looked at again, since more is allowed now. */
  readonly recheck: (session: string) => void;
  /** For what leaves the workbench. */
  readonly redact: Redact;
}

type Methods = Extract<keyof Handlers, `session.${string}`> | 'mention.find';

/** Suggestions that take longer come too late for who types. */
const suggestMs = 5_000;

export function sessionHandlers({
  sessions,
  hub,
  defaults,
  project,
  look,
  contextUse,
  recheck,
  redact,
}: SessionHandlerDeps): Pick<Handlers, Methods> {
  const withSession = async <T>(
    id: string,
    act: (live: LiveSession) => Result<T> | Promise<Result<T>>,
  ): Promise<Result<T>> => {
    const live = await sessions.open(id);
    return live.ok ? act(live.value) : live;
  };
  const emitting = (id: string, event: SessionEvent): Promise<Result<Record<string, never>>> =>
    withSession(id, ({ session }) => {
      session.emit(event);
      return ok({});
    });

  return {
    async 'session.create'({ project: path, title, mode, provider, model }) {
      const real = project(path);
      if (!real.ok) return real;
      const usual = defaults(real.value);
      const made = sessions.create({
        project: real.value,
        title: title ?? '',
        mode: mode ?? usual.mode,
        provider: provider ?? usual.provider,
        model: model ?? (provider === undefined || provider === usual.provider ? usual.model : ''),
      });
      return made.ok ? ok({ session: made.value.session.id }) : made;
    },
    'session.watch': ({ session: id }, peer) =>
      withSession(id, ({ session }) => {
        peer.keep(
          `session ${id}`,
          hub.watch(id, (envelope: Envelope) => peer.post({ kind: 'event', envelope })),
        );
        return ok({ seq: session.seq, state: session.state, draft: session.draft });
      }),
    async 'session.unwatch'({ session }, peer) {
      peer.drop(`session ${session}`);
      return ok({});
    },
    'session.send': ({ session: id, text, attachments }) =>
      withSession(id, ({ agent }) => agent.send(text, attachments)),
    async 'mention.find'({ project: path, session: id, query, limit }) {
      const view = await look(path);
      if (!view.ok) return view;
      const { suggestMentions } = await import('../session/mentions/suggestMentions.ts');
      // Only of a session that is open: completing a word is no reason to open one.
      const state = id === undefined ? undefined : sessions.live(id)?.session.state;
      const found = await suggestMentions({ look: view.value, state }, query, limit, AbortSignal.timeout(suggestMs));
      return found.ok ? ok({ choices: [...found.value] }) : found;
    },
    'session.context': ({ session }) =>
      withSession(session, async () => {
        const use = await contextUse(session);
        return use.ok ? ok({ use: use.value }) : use;
      }),
    'session.unqueue': ({ session, id }) => emitting(session, { type: 'message.unqueued', id }),
    'session.stop': ({ session }) =>
      withSession(session, ({ agent }) => {
        void agent.stop(); // answers at once; `turn.finished` tells when it has ended
        return ok({});
      }),
    'session.continue': ({ session }) => withSession(session, ({ agent }) => agent.proceed()),
    'session.draft': ({ session: id, text }) =>
      withSession(id, ({ session }) => {
        session.setDraft(text);
        return ok({});
      }),
    'session.rename': ({ session, title }) => emitting(session, { type: 'session.renamed', title }),
    'session.archive': ({ session, archived }) => emitting(session, { type: 'session.archived', archived }),
    async 'session.delete'({ session }) {
      const deleted = await sessions.delete(session);
      return deleted.ok ? ok({}) : deleted;
    },
    'session.fork': ({ session: id, item }) =>
      withSession(id, ({ session, agent }) => {
        if (agent.running) return fail('UNAVAILABLE', 'Stop the running turn before you fork the session.');
        return forkAt(sessions, session.id, item);
      }),
    'session.configure': ({ session, mode, provider, model, allow }) =>
      withSession(session, ({ session: open, agent }) => {
        if (agent.running && mode !== undefined)
          return fail('UNAVAILABLE', 'The mode can be changed when the turn has ended.');
        open.emit({
          type: 'session.configured',
          ...(mode === undefined ? {} : { mode }),
          ...(provider === undefined ? {} : { provider }),
          ...(model === undefined ? {} : { model }),
          ...(allow === undefined ? {} : { allow }),
        });
        if (allow !== undefined) recheck(session);
        return ok({});
      }),
    'session.init': ({ session, replace = false }) => withSession(session, ({ agent }) => agent.init(replace)),
    'session.movePhase': ({ session, phase }) =>
      withSession(session, ({ agent }) => {
        const moved = agent.movePhase(phase);
        return moved.ok ? ok({}) : moved;
      }),
    'session.export': ({ session: id, format }) =>
      withSession(id, ({ session }) =>
        ok({ text: redact(format === 'json' ? exportJson(session.state) : exportMarkdown(session.state)) }),
      ),
    'session.search': async ({ query, project: only }) => ok({ hits: [...searchSessions(sessions, query, only)] }),
  };
}

/** A new session with the facts up to a timeline item; what had begun then and not ended is left out. */
function forkAt(sessions: Sessions, id: string, item: number): Result<{ session: string }> {
  const read = sessions.read(id);
  if (!read.ok) return read;
  const [first, ...rest] = read.value;
  if (first?.event.type !== 'session.started')
    return fail('CONFIG_INVALID', 'The journal does not begin with its session.');
  const kept = lastFactBefore(read.value, item);
  const { project, title, mode, provider, model } = first.event;
  const made = sessions.create({
    project,
    title: title === '' ? '' : `${title} (fork)`,
    mode,
    provider,
    model,
    past: rest.filter(({ seq }) => seq <= kept).map(({ event }) => event),
    parent: { id, seq: kept },
  });
  return made.ok ? ok({ session: made.value.session.id }) : made;
}
