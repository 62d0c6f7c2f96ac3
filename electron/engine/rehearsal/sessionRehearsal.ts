import type { FileVerdict } from '../../../shared/model/change.ts';
import type { Rehearsal } from '../../../shared/model/rehearsal.ts';
import type { Rule } from '../../../shared/model/rule.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposer.ts';
import type { Log } from '../base/log.ts';
import type { CommandOutcome, CommandRequest } from '../exec/executor.ts';
import { type ShadowWay, shadowWay } from '../exec/sandbox/shadow.ts';
import type { Gate } from '../permission/gate.ts';
import type { TaskPort } from '../tools/shell/taskPort.ts';
import type { Look } from '../workspace/look.ts';
import type { ProposedChange } from '../workspace/proposedChange.ts';
import { type JudgedCheck, judgeChecks, untried } from './allowedChecks.ts';
import { composeJudged, type JudgedChange, type Proposal } from './composeJudged.ts';
import { proposeChecks } from './proposeChecks.ts';
import { type KnownRuns, rehearse } from './rehearse.ts';
import { createRemarks } from './remarks.ts';

/** Judgements come hunk by hunk: what is tried is what they have come to. */
const debounceMs = 300;

/** A person's word on the shown checks: for this session, or by rules that are saved. */
export type Allowance = 'session' | 'always';

export interface SessionRehearsalDeps {
  readonly gate: Pick<Gate, 'judge' | 'waiting'>;
  /** What a call proposes, as it was shown last. */
  readonly proposal: (call: string) => readonly ProposedChange[];
  readonly look: Look;
  readonly settings: () => Pick<Settings, 'rehearsal'>;
  readonly tasks: TaskPort;
  readonly run: (request: CommandRequest, signal: AbortSignal) => Promise<Result<CommandOutcome>>;
  /** Forgets the tasks of earlier rehearsals of the session. */
  readonly forgetRuns: () => Promise<void>;
  readonly tell: (rehearsal: Rehearsal | null) => void;
  readonly save: (rule: Rule) => Result<unknown>;
  /** Whether the project is trusted with its content as it is now: only then a rule speaks for the person. */
  readonly trusted: () => Promise<boolean>;
  readonly known: KnownRuns;
  /** Where copies of projects lie. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly way?: ShadowWay;
}

/** Tries what waits for an answer in one session, anew whenever that is other than before. */
export interface SessionRehearsal extends Disposable {
  /** What waits may be other than before; cheap, and may come often. */
  changed(): void;
  /** How the waiting calls are judged by now. */
  judge(judged: readonly { readonly call: string; readonly verdicts: readonly FileVerdict[] }[]): void;
  /** The person lets the shown checks run. Errors: those of saving a rule. */
  allow(allowance: Allowance): Promise<Result<null>>;
  /** What the model is told of a call's rehearsal with the answer: `changes` is what is written of it. */
  remarks(call: string, changes: readonly ProposedChange[]): readonly string[];
}

export function createSessionRehearsal(deps: SessionRehearsalDeps): SessionRehearsal {
  const { gate, look, tasks, clock, log } = deps;
  const verdicts = new Map<string, readonly FileVerdict[]>();
  const allowed = new Set<string>();
  const remarks = createRemarks();
  let current = '';
  let shown = false;
  let timer: Disposable | undefined;
  let running: AbortController | undefined;
  let previous: Promise<void> = Promise.resolve();
  let disposed = false;

  const tell = (rehearsal: Rehearsal | null): void => {
    if (disposed || (rehearsal === null && !shown)) return;
    shown = rehearsal !== null;
    deps.tell(rehearsal);
  };
  const stop = (): void => {
    timer?.dispose();
    running?.abort();
    running = undefined;
  };
  const keyOf = (waiting: readonly Proposal[]): string =>
    JSON.stringify([
      waiting.map(({ call, changes }) => [call, verdicts.get(call) ?? null, changes.map(fingerprint)]),
      [...allowed],
    ]);
  const judgeAll = async (way: ShadowWay, waiting: readonly Proposal[]): Promise<readonly JudgedCheck[]> => {
    const checks = await proposeChecks(deps.settings().rehearsal.checks, look, tasks, pathsOf(waiting));
    // Where nothing holds a command to the copy, each run is the person's.
    const rulesCount = way !== 'bare' && (await deps.trusted());
    return judgeChecks(checks, { look, tasks, gate, allowed, rulesCount });
  };

  const rehearseAll = async (waiting: readonly Proposal[], signal: AbortSignal): Promise<void> => {
    const way = deps.way ?? shadowWay();
    const checks = await judgeAll(way, waiting);
    if (signal.aborted) return;
    if (checks.length === 0) return tell(null);
    const runs = checks.filter(({ state }) => state === 'runs');
    if (runs.length === 0) return tell({ state: 'asks', checks: checks.map(untried), findings: [] });
    // Once is once there.
    if (way === 'bare') for (const { hash } of runs) allowed.delete(hash);
    await tryWaiting(
      deps,
      { checks, judged: await composeJudged(waiting, verdicts, look), way, signal },
      (told, judged) => {
        if (signal.aborted) return;
        if (told.problem === undefined) remarks.keep(waiting, judged, told);
        tell(told);
      },
    );
  };

  const update = (): void => {
    if (disposed) return;
    const waiting = deps.settings().rehearsal.checks.length === 0 ? [] : waitingProposals(deps);
    const key = waiting.length === 0 ? '' : keyOf(waiting);
    if (key === current) return;
    current = key;
    stop();
    if (waiting.length === 0) {
      verdicts.clear();
      return tell(null);
    }
    timer = clock.after(debounceMs, () => {
      const { signal } = (running = new AbortController());
      // One after the other: the one before is on its way out.
      previous = previous
        .then(() => (signal.aborted ? undefined : rehearseAll(waiting, signal)))
        .catch((error: unknown) => log.warn('what waits could not be tried', error));
    });
  };
  /** An answer is at the gate only once those who hear of it have done their part. */
  let isDue = false;
  const changed = (): void => {
    if (isDue || disposed) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      update();
    });
  };

  return {
    changed,
    judge(judged) {
      for (const { call, verdicts: given } of judged) verdicts.set(call, given);
      update();
    },
    async allow(allowance) {
      const checks = await judgeAll(deps.way ?? shadowWay(), waitingProposals(deps));
      const asking = checks.filter(({ state }) => state === 'asks');
      for (const rule of allowance === 'always' ? asking.flatMap(({ rules }) => rules) : []) {
        const saved = deps.save(rule);
        if (!saved.ok) return saved;
      }
      for (const { hash } of asking) allowed.add(hash);
      update();
      return ok(null);
    },
    remarks: remarks.of,
    dispose() {
      disposed = true;
      stop();
    },
  };
}

const pathsOf = (waiting: readonly Proposal[]): readonly string[] =>
  waiting.flatMap(({ changes }) => changes.map(({ path }) => path));

function waitingProposals({ gate, proposal }: SessionRehearsalDeps): readonly Proposal[] {
  return gate.waiting().flatMap(({ call: { id, intent } }) => {
    const changes = intent.preview.kind === 'changes' ? proposal(id) : [];
    return changes.length > 0 ? [{ call: id, changes }] : [];
  });
}

/** Runs those of the checks that may, and tells of all of them. */
async function tryWaiting(
  deps: SessionRehearsalDeps,
  {
    checks,
    judged,
    way,
    signal,
  }: {
    readonly checks: readonly JudgedCheck[];
    readonly judged: readonly JudgedChange[];
    readonly way: ShadowWay;
    readonly signal: AbortSignal;
  },
  told: (rehearsal: Rehearsal, judged: readonly JudgedChange[]) => void,
): Promise<void> {
  const { look, tasks, known, folder } = deps;
  const whole = (rehearsal: Rehearsal): Rehearsal => {
    const tried = new Map(rehearsal.checks.map((check) => [check.command, check]));
    return { ...rehearsal, checks: checks.map((one) => tried.get(one.check.command) ?? untried(one)) };
  };
  await deps.forgetRuns();
  const done = await rehearse({
    look,
    tasks,
    signal,
    judged,
    way,
    known,
    folder,
    checks: checks.filter(({ state }) => state === 'runs').map(({ check }) => check),
    maxSeconds: deps.settings().rehearsal.maxSeconds,
    run: (request) => deps.run(request, signal),
    onProgress: (rehearsal) => told(whole(rehearsal), judged),
  });
  if (done.ok) return told(whole(done.value), judged);
  told({ state: 'done', checks: checks.map(untried), findings: [], problem: done.error.message }, judged);
}

const fingerprint = ({ path, oldPath, before, after, executable }: ProposedChange): unknown => [
  path,
  oldPath,
  before?.hash,
  after && ('text' in after ? after.text : after.bytes.length),
  executable,
];
