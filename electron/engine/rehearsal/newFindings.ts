import type { Finding } from '../../../shared/model/rehearsal.ts';

/** A finding with what makes it the same in two runs, its line aside: lines move. */
export interface ReadFinding {
  readonly finding: Finding;
  readonly key: string;
}

/**
 * What a check finds with the proposal and not without it. Of several alike those are taken for old that stand where an old
 * one stood; what is left over is new, and first of all what a hunk wrote. `before` is undefined as long as it is not known:
 * then only what hunks wrote is told.
 */
export function newFindings(
  after: readonly ReadFinding[],
  before: readonly ReadFinding[] | undefined,
  originOf: (file: string, line: number) => { readonly line?: number; readonly place?: NonNullable<Finding['place']> },
): readonly Finding[] {
  const placed = after.map(({ finding, key }) => {
    const { file, line } = finding;
    const origin = file === undefined || line === undefined ? {} : originOf(file, line);
    return { key, finding: origin.place ? { ...finding, place: origin.place } : finding, line: origin.line };
  });
  if (!before) return placed.flatMap(({ finding }) => (finding.place ? [finding] : []));
  const old = Map.groupBy(before, ({ key }) => key);
  const takeOld = (key: string, line?: number): boolean => {
    const alike = old.get(key) ?? [];
    const at = line === undefined ? alike.length - 1 : alike.findIndex(({ finding }) => finding.line === line);
    if (at < 0) return false;
    old.set(key, alike.toSpliced(at, 1));
    return true;
  };
  const unmoved = placed.filter(({ key, line }) => line === undefined || !takeOld(key, line));
  const elsewhere = unmoved.filter(({ key, finding }) => finding.place || !takeOld(key));
  return elsewhere.filter(({ key, finding }) => !finding.place || !takeOld(key)).map(({ finding }) => finding);
}
