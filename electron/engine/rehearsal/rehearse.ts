import {
  type Check,
  type Finding,
  maxFindings,
  type Rehearsal,
  type TriedCheck,
} from '../../../shared/model/rehearsal.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { ShadowWay } from '../exec/sandbox/shadow.ts';
import type { JudgedChange } from './composeJudged.ts';
import { type MadeShadow, makeShadow } from './makeShadow.ts';
import { newFindings } from './newFindings.ts';
import { createOrigins } from './placeFindings.ts';
import { type CheckPlace, type CheckRun, runCheck } from './runCheck.ts';

/** What checks find in the project as it is, by its content; so that it is not looked for at every turn of a hunk. */
export interface KnownRuns {
  get(check: Check, print: string): CheckRun | undefined;
  set(check: Check, print: string, run: CheckRun): void;
}

export interface RehearsalJob extends Omit<CheckPlace, 'changed'> {
  readonly judged: readonly JudgedChange[];
  readonly checks: readonly Check[];
  /** Where copies lie. */
  readonly folder: string;
  readonly way: ShadowWay;
  readonly known: KnownRuns;
  /** Told whenever more is known. */
  readonly onProgress?: (rehearsal: Rehearsal) => void;
}

interface Tried {
  readonly check: Check;
  state: 'waiting' | 'running' | 'ran';
  after?: CheckRun;
  before?: CheckRun;
}

/**
 * Runs the checks on a copy of the project that holds the proposal, and, where one finds something, on one without it: what
 * is new is told. Errors: those of making the copy.
 */
export async function rehearse(job: RehearsalJob): Promise<Result<Rehearsal>> {
  const { judged, checks, folder, way, known, look, signal, onProgress = () => undefined } = job;
  const changed = [...new Set(judged.map(({ change }) => change.path))];
  const printOf = ({ isServer }: Check, print: string): string => (isServer ? [print, ...changed].join('\0') : print);
  const originOf = createOrigins(judged);
  const tried = checks.map((check): Tried => ({ check, state: 'waiting' }));
  const told = (): Rehearsal => describe(tried, originOf);
  const run = async (one: Tried, shadow: MadeShadow, title?: string): Promise<CheckRun> => {
    one.state = 'running';
    onProgress(told());
    return runCheck(one.check, shadow, { ...job, changed }, title);
  };
  onProgress(told());
  const copy = { look, folder, way, signal };
  const shadow = await makeShadow({ ...copy, changes: judged.map(({ change }) => change) });
  if (!shadow.ok) return shadow;
  try {
    for (const one of tried) {
      if (signal.aborted) break;
      one.after = await run(one, shadow.value);
      one.before = isSound(one.after) ? one.after : known.get(one.check, printOf(one.check, shadow.value.print));
      if (one.before || one.after.why !== undefined) one.state = 'ran';
      // What hunks wrote stands beside them while it is looked for what was there before.
      else onProgress(told());
    }
  } finally {
    await shadow.value.remove();
  }
  const unknown = tried.filter(({ state }) => state !== 'ran');
  if (unknown.length > 0 && !signal.aborted) {
    const plain = await makeShadow({ ...copy, changes: [] });
    if (!plain.ok) return plain;
    try {
      for (const one of unknown) {
        if (signal.aborted) break;
        one.before = await run(one, plain.value, 'Without the edits');
        if (!signal.aborted) known.set(one.check, printOf(one.check, plain.value.print), one.before);
        one.state = 'ran';
      }
    } finally {
      await plain.value.remove();
    }
  }
  return ok(told());
}

/** Nothing can be new in a run that finds nothing. */
const isSound = ({ passed, findings, why }: CheckRun): boolean => passed && findings.length === 0 && why === undefined;

function describe(tried: readonly Tried[], originOf: ReturnType<typeof createOrigins>): Rehearsal {
  const findings: Finding[] = [];
  const checks = tried.map(({ check, state, after, before }): TriedCheck => {
    const fresh = after
      ? newFindings(after.findings, before && before.why === undefined ? before.findings : undefined, originOf)
      : [];
    // A compiler and a language server may say the same.
    findings.push(...fresh.filter((one) => !findings.some((known) => isSame(one, known))));
    const count = (severity: string): number => fresh.filter((finding) => finding.severity === severity).length;
    const [errors, warnings] = [count('error'), count('warning')];
    const facts = { ...check, errors, warnings };
    if (after?.why !== undefined) return { ...facts, state: 'failed', why: after.why };
    if (state !== 'ran' || !after) return { ...facts, state: state === 'ran' ? 'waiting' : state };
    if (errors > 0) return { ...facts, state: 'red' };
    return { ...facts, state: after.passed ? 'green' : 'old' };
  });
  const rank = ({ severity }: Finding): number => ['error', 'warning', 'info'].indexOf(severity);
  return {
    state: checks.some(({ state }) => state === 'waiting' || state === 'running') ? 'running' : 'done',
    checks,
    findings: findings.toSorted((a, b) => rank(a) - rank(b)).slice(0, maxFindings),
  };
}

function isSame(one: Finding, other: Finding): boolean {
  const wordsOf = ({ message }: Finding): string => message.split('\n', 1)[0]?.trim() ?? '';
  return (
    one.line !== undefined && one.file === other.file && one.line === other.line && wordsOf(one) === wordsOf(other)
  );
}

/** As many states of a project as a person may go back and forth between. */
const maxKnown = 60;

export function createKnownRuns(): KnownRuns {
  const runs = new Map<string, CheckRun>();
  const keyOf = ({ command }: Check, print: string): string => `${print} ${command}`;
  return {
    get: (check, print) => runs.get(keyOf(check, print)),
    set(check, print, run) {
      // One that came to no end tells nothing of what was there before.
      if (run.why !== undefined) return;
      runs.set(keyOf(check, print), run);
      for (const key of runs.keys()) {
        if (runs.size <= maxKnown) break;
        runs.delete(key);
      }
    },
  };
}
