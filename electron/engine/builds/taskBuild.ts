import type { Build, BuildFinding } from '../../../shared/model/build.ts';
import type { AppliedChangeSet } from '../../../shared/model/change.ts';
import { maxFindings } from '../../../shared/model/rehearsal.ts';
import type { ReadFinding } from '../rehearsal/newFindings.ts';
import type { Round } from './rounds.ts';
import type { createTracer } from './traceLines.ts';

/** What is remembered of one task between two of its rounds. */
export interface TaskBuild {
  readonly build: Build | undefined;
  /** Of the last round: what it found, and the change set that each came after. */
  readonly known: ReadonlyMap<string, BuildFinding>;
  /** When the last round began: what was written since may not be in it. */
  readonly startedMs: number;
}

export const noBuild: TaskBuild = { build: undefined, known: new Map(), startedMs: 0 };

/**
 * A round as the state of a build. A burst of output whose findings are no errors tells nothing; one with errors adds them to
 * those of the round before. A finding that is new and lies in no hunk came since the change set that was written last.
 */
export async function nextBuild(
  before: TaskBuild,
  task: string,
  round: Pick<Round, 'kind' | 'startedMs'>,
  found: readonly ReadFinding[],
  deps: {
    readonly at: string;
    readonly changeSets: readonly AppliedChangeSet[];
    readonly trace: ReturnType<typeof createTracer>;
  },
): Promise<TaskBuild> {
  const isBurst = round.kind === 'burst';
  const hasErrors = found.some(({ finding }) => finding.severity === 'error');
  if (isBurst && !hasErrors) return before;
  const since = lastWritten(deps.changeSets, before.startedMs);
  const known = new Map<string, BuildFinding>(isBurst && before.build?.state === 'red' ? before.known : []);
  for (const { finding, key } of found.slice(0, maxFindings)) {
    const { place: _, file, line, ...said } = finding;
    const written = file === undefined || line === undefined ? undefined : await deps.trace(file, line);
    const old = before.known.get(key);
    known.set(distinct(known, key), {
      ...said,
      file,
      line,
      written,
      since: written ? undefined : old ? old.since : since,
    });
  }
  const findings = [...known.values()].toSorted((a, b) => rank(a) - rank(b)).slice(0, maxFindings);
  const count = (severity: string): number => findings.filter((one) => one.severity === severity).length;
  const errors = count('error');
  const build: Build = {
    task,
    state: errors > 0 ? 'red' : 'green',
    at: deps.at,
    errors,
    warnings: count('warning'),
    findings,
  };
  return { build: isSame(before.build, build) ? before.build : build, known, startedMs: round.startedMs };
}

const rank = ({ severity }: BuildFinding): number => ['error', 'warning', 'info'].indexOf(severity);

/** Several alike are counted. */
function distinct(known: ReadonlyMap<string, unknown>, key: string): string {
  let one = key;
  for (let number = 2; known.has(one); number += 1) one = `${key} ${number}`;
  return one;
}

function lastWritten(changeSets: readonly AppliedChangeSet[], afterMs: number): string | undefined {
  return changeSets.findLast(({ state, at }) => state === 'applied' && Date.parse(at) >= afterMs)?.id;
}

const isSame = (a: Build | undefined, b: Build): a is Build =>
  a !== undefined && JSON.stringify({ ...a, at: '' }) === JSON.stringify({ ...b, at: '' });
