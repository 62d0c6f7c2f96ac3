import type { OutputOf } from '../../../shared/contract/api.ts';
import type { AppliedChangeSet } from '../../../shared/model/change.ts';
import { liveCallsOf } from '../../../shared/model/reduce.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { answerTogether } from '../edits/answerTogether.ts';
import type { CallStages } from '../edits/callStages.ts';
import { changesOf, contentsAfter } from '../edits/proposedChanges.ts';
import type { Gate } from '../permission/gate.ts';
import type { Handlers } from '../serve.ts';
import type { LiveSession, Sessions } from '../session/sessions.ts';
import type { Contents } from '../workspace/contents.ts';
import type { FileHands } from '../workspace/hands.ts';
import type { Look } from '../workspace/look.ts';
import { decodeText, looksBinary } from '../workspace/textFile.ts';

export interface SessionFiles {
  readonly look: Look;
  readonly hands: FileHands;
  readonly contents: Contents;
}

export interface ChangeHandlerDeps {
  readonly sessions: Sessions;
  readonly files: (live: LiveSession) => Promise<Result<SessionFiles>>;
  /** What waits in an open session, and who lets it through. */
  readonly doors: (session: string) => { readonly gate: Gate; readonly stages: CallStages } | undefined;
}

type Methods = Extract<keyof Handlers, `change.${string}`> | 'content.read' | 'image.store';

const maxShownBytes = 10 * 1024 * 1024;

export function changeHandlers({ sessions, files, doors }: ChangeHandlerDeps): Pick<Handlers, Methods> {
  const withFiles = async <T>(
    id: string,
    act: (live: LiveSession, parts: SessionFiles) => Promise<Result<T>>,
  ): Promise<Result<T>> => {
    const live = await sessions.open(id);
    if (!live.ok) return live;
    const parts = await files(live.value);
    return parts.ok ? act(live.value, parts.value) : parts;
  };
  const turnBack = (
    { session: id, changeSet, skipStale }: { session: string; changeSet: string; skipStale?: boolean | undefined },
    from: AppliedChangeSet['state'],
  ): Promise<Result<{ files: string[]; skipped: string[] }>> =>
    withFiles(id, async ({ session }, { hands }) => {
      const set = session.state.changeSets.find((one) => one.id === changeSet);
      if (!set) return fail('VALIDATION_ERROR', 'There is no such change set in this session.');
      if (set.state !== from) return fail('STALE', `This change set is ${set.state} already.`);
      const options = { skipStale: skipStale ?? false };
      const done = await (from === 'applied'
        ? hands.undoChangeSet(set.files, options)
        : hands.redoChangeSet(set.files, options));
      if (!done.ok) return done;
      const turned = done.value.files.map(({ path }) => path);
      session.emit({ type: from === 'applied' ? 'change.undone' : 'change.redone', changeSet, files: turned });
      return ok({ files: turned, skipped: done.value.skipped.map(({ path }) => path) });
    });

  return {
    async 'change.answer'({ session: id, answers }) {
      const live = await sessions.open(id);
      if (!live.ok) return live;
      const door = doors(id);
      return door
        ? answerTogether(live.value, door, answers)
        : fail('SESSION_NOT_FOUND', `The session ${id} is not open.`);
    },
    'content.read': ({ session, id }) =>
      withFiles<OutputOf<'content.read'>>(session, async (_live, { contents }) => {
        const bytes = await contents.get(id);
        if (!bytes.ok) return bytes;
        const sizeBytes = bytes.value.length;
        const decoded = looksBinary(bytes.value) || sizeBytes > maxShownBytes ? undefined : decodeText(bytes.value);
        if (decoded?.ok) {
          const { text, eol, encoding } = decoded.value;
          return ok({ text, sizeBytes, eol, encoding });
        }
        const base64 = sizeBytes <= maxShownBytes ? { base64: Buffer.from(bytes.value).toString('base64') } : {};
        return ok({ text: null, ...base64, sizeBytes, eol: '', encoding: 'binary' });
      }),
    'change.fresh': ({ session: id, call: wanted }) =>
      withFiles(id, async ({ session }, { look }) => {
        const call = liveCallsOf(session.state).find((one) => one.id === wanted);
        const preview = call?.intent?.preview;
        if (preview?.kind !== 'changes') return ok({ stale: [] });
        const stale: { path: string; why: string }[] = [];
        // It is shown on top of the proposals that wait before it.
        const live = liveCallsOf(session.state);
        const waiting = live
          .slice(
            0,
            live.findIndex(({ id }) => id === wanted),
          )
          .filter((one) => one.state !== 'finished');
        const below = contentsAfter(waiting.flatMap(changesOf));
        for (const change of preview.changes) {
          const path = change.oldPath ?? change.path;
          if (below.has(path) && below.get(path) === change.before) continue;
          const now = await look.readBytes(path);
          const hash = now.ok ? now.value.hash : null;
          if (hash === change.before) continue;
          stale.push({
            path,
            why: hash === null ? 'it is gone' : change.before === null ? 'it exists by now' : 'its content has changed',
          });
        }
        return ok({ stale });
      }),
    'change.undo': (input) => turnBack(input, 'applied'),
    'change.redo': (input) => turnBack(input, 'undone'),
    'image.store': ({ session, base64 }) =>
      withFiles(session, async (_live, { contents }) => {
        const stored = await contents.put(Buffer.from(base64, 'base64'));
        return stored.ok ? ok({ id: stored.value }) : stored;
      }),
  };
}
