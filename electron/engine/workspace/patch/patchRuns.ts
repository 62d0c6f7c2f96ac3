import { type DiffRun, diffRuns, slideDown } from '../../../../shared/text/diffRuns.ts';

/**
 * The runs in which a patched file differs from what it was, from the places that the patch has touched (`touched`, in
 * order, everything between them is equal). Lines that a hunk takes away and brings back are no difference.
 */
export function patchRuns(
  file: readonly string[],
  result: readonly string[],
  touched: readonly DiffRun[],
): readonly DiffRun[] {
  return slideDown(
    file,
    result,
    touched.flatMap((run) => differing(file, result, run)),
  );
}

function differing(file: readonly string[], result: readonly string[], run: DiffRun): readonly DiffRun[] {
  const { aStart, aEnd, bStart, bEnd } = run;
  if (aStart === aEnd || bStart === bEnd) return [run];
  if (aEnd - aStart === 1 && bEnd - bStart === 1) return file[aStart] === result[bStart] ? [] : [run];
  return diffRuns(file.slice(aStart, aEnd), result.slice(bStart, bEnd)).map((inner) => ({
    aStart: aStart + inner.aStart,
    aEnd: aStart + inner.aEnd,
    bStart: bStart + inner.bStart,
    bEnd: bStart + inner.bEnd,
  }));
}

/** The runs of a hunk's changed lines, when its first line stands at `at` in the file and at `resultAt` in the result. */
export function touchedBy(lines: readonly string[], at: number, resultAt: number): readonly DiffRun[] {
  const runs: DiffRun[] = [];
  let a = at;
  let b = resultAt;
  let open = false;
  for (const line of lines) {
    const sign = line[0];
    if (sign === ' ') {
      a += 1;
      b += 1;
      open = false;
      continue;
    }
    const [aStart, bStart] = [a, b];
    if (sign === '-') a += 1;
    else b += 1;
    const last = runs.at(-1);
    if (open && last) runs[runs.length - 1] = { ...last, aEnd: a, bEnd: b };
    else runs.push({ aStart, aEnd: a, bStart, bEnd: b });
    open = true;
  }
  return runs;
}
