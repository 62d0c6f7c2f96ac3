import type { InputOf } from '../../../shared/contract/api.ts';
import type { Call } from '../../../shared/model/call.ts';
import { liveCallsOf } from '../../../shared/model/reduce.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Gate } from '../permission/gate.ts';
import { type StaleFile, staleFailure } from '../workspace/fileWrite.ts';
import type { Look } from '../workspace/look.ts';
import type { CallStages } from './callStages.ts';
import { changesOf } from './proposedChanges.ts';
import { staleFiles } from './staleFiles.ts';

type Answers = InputOf<'change.answer'>['answers'];

/**
 * Answers several proposals at once. Those that are allowed are joined to one write, unless an edit of the same file lies
 * between them that is not part of the answer: then each is written for itself, in its turn. Errors, and nothing is
 * answered: CONFLICT (one of them does not wait any more), STALE (a file to be written has moved on; `details.files`).
 */
export async function answerTogether(
  {
    session,
    agent,
  }: { readonly session: { readonly state: SessionState }; readonly agent: { readonly running: boolean } },
  {
    gate,
    stages,
    project: { look },
  }: { readonly gate: Gate; readonly stages: CallStages; readonly project: { readonly look: Look } },
  answers: Answers,
): Promise<Result<Record<string, never>>> {
  const shown = waitingProposals(session.state, answers);
  if (shown && agent.running) await Promise.all(shown.map(({ id }) => stages.untilAsked(id)));
  const stale: StaleFile[] = [];
  for (const call of shown ?? []) {
    const written = writtenFiles(answers.find((answer) => answer.call === call.id));
    stale.push(...(await staleFiles(call, session.state, look)).filter(({ path }) => written(path)));
  }
  if (stale.length > 0) return staleFailure(stale);
  // Looked at again after waiting: from here to the last answer nothing else can run.
  const standing = waitingProposals(session.state, answers);
  const atGate = new Set(gate.waiting().map(({ call }) => call.id));
  if (!standing || standing.some(({ id }) => !atGate.has(id)))
    return fail('CONFLICT', 'One of these edits does not wait for an answer any more. Nothing was answered.');
  const byCall = new Map(answers.map((answer) => [answer.call, answer]));
  const allowed = standing.filter(({ id }) => byCall.get(id)?.decision === 'once');
  const undenied = liveCallsOf(session.state).filter(({ id }) => byCall.get(id)?.decision !== 'deny');
  const together = allowed.length > 1 && isUnbroken(allowed, undenied) ? allowed.map(({ id }) => id) : undefined;
  const given = standing.flatMap(({ id }) => byCall.get(id) ?? []);
  const answered = gate.answer(given.map((one) => (one.decision === 'once' ? { ...one, together } : one)));
  return answered.ok ? ok({}) : answered;
}

/** Of an answer: the files that it lets be written, as far as it says. */
function writtenFiles(answer: Answers[number] | undefined): (path: string) => boolean {
  if (answer?.decision !== 'once') return () => false;
  const left = new Set(answer.verdicts?.filter(({ keep }) => keep === 'none').map(({ path }) => path));
  return (path) => !left.has(path);
}

/** The answered calls in the order of the reply; nothing when one of them is no proposal that waits. */
function waitingProposals(state: SessionState, answers: Answers): readonly Call[] | undefined {
  const wanted = new Set(answers.map(({ call }) => call));
  const found = liveCallsOf(state).filter(
    (call) => wanted.has(call.id) && call.state === 'waiting' && changesOf(call).length > 0,
  );
  return found.length === wanted.size ? found : undefined;
}

/** A call waits for what lies below it in the same file: were that outside the group, the group would wait for it too. */
function isUnbroken(group: readonly Call[], live: readonly Call[]): boolean {
  const members = new Set(group.map(({ id }) => id));
  const last = live.findLastIndex(({ id }) => members.has(id));
  const paths = new Set(group.flatMap((call) => changesOf(call).map(({ path }) => path)));
  return live
    .slice(0, last)
    .every((call) => members.has(call.id) || !changesOf(call).some(({ path }) => paths.has(path)));
}
