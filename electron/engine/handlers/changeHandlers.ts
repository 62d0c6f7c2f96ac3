import type { OutputOf } from '../../../shared/contract/api.ts';
import type { AppliedChangeSet, AppliedFile } from '../../../shared/model/change.ts';
import { liveCallsOf } from '../../../shared/model/reduce.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { answerTogether } from '../edits/answerTogether.ts';
import { rebaseEdits } from '../edits/rebaseEdits.ts';
import { staleFiles } from '../edits/staleFiles.ts';
import { takeBack } from '../edits/takeBack.ts';
import type { Handlers } from '../serve.ts';
import type { Session } from '../session/session.ts';
import { systemMessage } from '../session/settleCall.ts';
import { decodeText, looksBinary } from '../workspace/textFile.ts';
import { done, type HandlerDeps, whenDurable, withOpenedSession } from './handlerDeps.ts';

type Methods = Extract<keyof Handlers, `change.${string}`> | 'content.read' | 'image.store';

const maxShownBytes = 10 * 1024 * 1024;

export function changeHandlers(deps: HandlerDeps): Pick<Handlers, Methods> {
  const turnBack = (
    { session: id, changeSet, skipStale }: { session: string; changeSet: string; skipStale?: boolean | undefined },
    from: AppliedChangeSet['state'],
  ): Promise<Result<{ files: string[]; skipped: string[] }>> =>
    withOpenedSession(deps, id, async ({ session, hands }) => {
      const set = session.state.changeSets.find((one) => one.id === changeSet);
      if (!set) return fail('VALIDATION_ERROR', 'There is no such change set in this session.');
      if (set.state !== from) return fail('STALE', `This change set is ${set.state} already.`);
      const type = from === 'applied' ? 'change.undone' : 'change.redone';
      const options = {
        skipStale: skipStale ?? false,
        fact: {
          of: (files: readonly AppliedFile[]) => ({ type, changeSet, files: files.map(({ path }) => path) }) as const,
          emit: session.emit,
        },
      };
      const done = await (from === 'applied'
        ? hands.undoChangeSet(set.files, options)
        : hands.redoChangeSet(set.files, options));
      if (!done.ok) return done;
      const turned = done.value.files.map(({ path }) => path);
      tell(
        session,
        set.turn,
        from === 'applied' ? 'took back what you wrote in' : 'applied again what was taken back in',
        turned,
      );
      return ok({ files: turned, skipped: done.value.skipped.map(({ path }) => path) });
    });

  return {
    'change.answer': ({ session, answers }) =>
      withOpenedSession(deps, session, (opened, live) =>
        answerTogether(live, opened, answers).then((given) => (given.ok ? whenDurable(live) : given)),
      ),
    'content.read': ({ session, id }) =>
      withOpenedSession<OutputOf<'content.read'>>(deps, session, async ({ contents }) => {
        const bytes = await contents.get(id);
        if (!bytes.ok) return bytes;
        const sizeBytes = bytes.value.length;
        const decoded = looksBinary(bytes.value) || sizeBytes > maxShownBytes ? undefined : decodeText(bytes.value);
        if (decoded?.ok) {
          const { text, eol, encoding } = decoded.value;
          return ok({ text, sizeBytes, eol, encoding });
        }
        const base64 = sizeBytes <= maxShownBytes ? Buffer.from(bytes.value).toString('base64') : undefined;
        return ok({ text: null, base64, sizeBytes, eol: '', encoding: 'binary' });
      }),
    'change.fresh': ({ session: id, call: wanted }) =>
      withOpenedSession(deps, id, async ({ session, project: { look } }) => {
        const call = liveCallsOf(session.state).find((one) => one.id === wanted);
        return ok({ stale: call ? [...(await staleFiles(call, session.state, look))] : [] });
      }),
    'change.rebase': ({ session: id }) =>
      withOpenedSession(deps, id, async ({ session, stages, hands, project: { look } }) => {
        const done = await rebaseEdits({ session, stages, hands, look });
        return done.ok ? ok({ files: [...done.value.files], conflicts: [...done.value.conflicts] }) : done;
      }),
    'change.rehearse': ({ session: id, judged, allow }) =>
      withOpenedSession(deps, id, async ({ rehearsal }) => {
        if (judged) rehearsal.judge(judged);
        return allow ? done(await rehearsal.allow(allow)) : ok({});
      }),
    'change.takeBack': ({ session: id, ...asked }) =>
      withOpenedSession(deps, id, async (opened) => {
        const { session, project } = opened;
        const taken = await takeBack({ ...opened, look: project.look }, asked);
        const part = asked.hunks === undefined ? 'what you wrote' : 'some of the lines that you wrote';
        if (taken.ok) tell(session, session.state.changeSets.at(-1)?.turn ?? '', `took back ${part} in`, [asked.path]);
        return taken;
      }),
    'change.undo': (input) => turnBack(input, 'applied'),
    'change.redo': (input) => turnBack(input, 'undone'),
    'image.store': ({ session, base64 }) =>
      withOpenedSession(deps, session, async ({ contents }) => {
        const stored = await contents.put(Buffer.from(base64, 'base64'));
        return stored.ok ? ok({ id: stored.value }) : stored;
      }),
  };
}

/** The model would go on as if its edits stood. */
function tell(session: Session, turn: string, did: string, files: readonly string[]): void {
  if (files.length === 0) return;
  const named = files.slice(0, 20).join(', ') + (files.length > 20 ? ` and ${files.length - 20} more` : '');
  session.emit(
    systemMessage(session.state.turn?.id ?? turn, `The person ${did} ${named}. Read before you edit there.`),
  );
}
