/** A stretch of `a` [aStart, aEnd) that became the stretch of `b` [bStart, bEnd). Everything between runs is equal. */
export interface DiffRun {
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
}

/**
 * The runs in which two sequences differ, in order. Shortest by Myers' algorithm ("An O(ND) Difference Algorithm and Its
 * Variations", 1986) while they are alike; where more than `maxDifferences` elements differ, split first at elements that
 * occur once in both (patience), so that huge or unrelated inputs stay near linear.
 */
export function diffRuns(a: readonly string[], b: readonly string[]): readonly DiffRun[] {
  const ids = new Map<string, number>();
  const idsOf = (items: readonly string[]) =>
    Int32Array.from(items, (item) => {
      const known = ids.get(item);
      if (known !== undefined) return known;
      ids.set(item, ids.size);
      return ids.size - 1;
    });
  const differ: Differ = { a: idsOf(a), b: idsOf(b), runs: [] };
  compare(differ, 0, a.length, 0, b.length);
  return slideDown(differ.a, differ.b, differ.runs);
}

/** Bounds the memory of the trace to about 4 MB and the time of one region to about a million steps. */
const maxDifferences = 1000;

interface Differ {
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly runs: DiffRun[];
}

interface Region {
  readonly aLow: number;
  readonly aHigh: number;
  readonly bLow: number;
  readonly bHigh: number;
}

/** Regions are kept on a stack of their own: recursion would end at the depth of the call stack for hostile inputs. */
function compare(differ: Differ, aLow: number, aHigh: number, bLow: number, bHigh: number): void {
  const { a, b, runs } = differ;
  const open: Region[] = [{ aLow, aHigh, bLow, bHigh }];
  while (open.length > 0) {
    const region = trim(a, b, open.pop() as Region); // the loop's condition says there is one
    if (region.aLow === region.aHigh && region.bLow === region.bHigh) continue;
    if (region.aLow === region.aHigh || region.bLow === region.bHigh) {
      push(runs, region);
      continue;
    }
    const found = myers(a, b, region);
    if (found) {
      for (const run of found) push(runs, run);
      continue;
    }
    const parts = splitAtUnique(a, b, region);
    if (parts) for (const part of parts.toReversed()) open.push(part);
    else push(runs, region);
  }
}

function trim(a: Int32Array, b: Int32Array, { aLow, aHigh, bLow, bHigh }: Region): Region {
  while (aLow < aHigh && bLow < bHigh && a[aLow] === b[bLow]) {
    aLow += 1;
    bLow += 1;
  }
  while (aLow < aHigh && bLow < bHigh && a[aHigh - 1] === b[bHigh - 1]) {
    aHigh -= 1;
    bHigh -= 1;
  }
  return { aLow, aHigh, bLow, bHigh };
}

function push(runs: DiffRun[], { aLow, aHigh, bLow, bHigh }: Region): void {
  const last = runs.at(-1);
  if (last && last.aEnd === aLow && last.bEnd === bLow) runs[runs.length - 1] = { ...last, aEnd: aHigh, bEnd: bHigh };
  else runs.push({ aStart: aLow, aEnd: aHigh, bStart: bLow, bEnd: bHigh });
}

/** Undefined when the regions differ in more than `maxDifferences` elements. */
function myers(a: Int32Array, b: Int32Array, { aLow, aHigh, bLow, bHigh }: Region): readonly Region[] | undefined {
  const n = aHigh - aLow;
  const m = bHigh - bLow;
  const limit = Math.min(n + m, maxDifferences);
  const furthest = new Int32Array(2 * limit + 3);
  const middle = limit + 1;
  const trace: Int32Array[] = [];
  for (let d = 0; d <= limit; d += 1) {
    trace.push(furthest.slice(middle - d - 1, middle + d + 2));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && at(furthest, middle + k - 1) < at(furthest, middle + k + 1));
      let x = down ? at(furthest, middle + k + 1) : at(furthest, middle + k - 1) + 1;
      let y = x - k;
      while (x < n && y < m && a[aLow + x] === b[bLow + y]) {
        x += 1;
        y += 1;
      }
      furthest[middle + k] = x;
      if (x >= n && y >= m) return backtrack(trace, n, m, aLow, bLow);
    }
  }
  return undefined;
}

function at(values: Int32Array, index: number): number {
  return values[index] ?? 0;
}

function backtrack(trace: readonly Int32Array[], n: number, m: number, aLow: number, bLow: number): readonly Region[] {
  const steps: Region[] = [];
  let x = n;
  let y = m;
  for (let d = trace.length - 1; d > 0; d -= 1) {
    const furthest = trace[d];
    if (!furthest) break;
    const middle = d + 1;
    const k = x - y;
    const down = k === -d || (k !== d && at(furthest, middle + k - 1) < at(furthest, middle + k + 1));
    const previousK = down ? k + 1 : k - 1;
    const px = at(furthest, middle + previousK);
    const py = px - previousK;
    steps.push({
      aLow: aLow + px,
      aHigh: aLow + (down ? px : px + 1),
      bLow: bLow + py,
      bHigh: bLow + (down ? py + 1 : py),
    });
    x = px;
    y = py;
  }
  return steps.reverse();
}

/** The regions between elements that occur exactly once on both sides, in the longest order common to both. */
function splitAtUnique(
  a: Int32Array,
  b: Int32Array,
  { aLow, aHigh, bLow, bHigh }: Region,
): readonly Region[] | undefined {
  const inA = onlyOnce(a, aLow, aHigh);
  const inB = onlyOnce(b, bLow, bHigh);
  const pairs: { readonly x: number; readonly y: number }[] = [];
  for (const [id, x] of inA) {
    const y = inB.get(id);
    if (x >= 0 && y !== undefined && y >= 0) pairs.push({ x, y });
  }
  const anchors = longestRising(pairs.sort((p, q) => p.x - q.x));
  if (anchors.length === 0) return undefined;
  const regions: Region[] = [];
  let x = aLow;
  let y = bLow;
  for (const anchor of anchors) {
    regions.push({ aLow: x, aHigh: anchor.x, bLow: y, bHigh: anchor.y });
    x = anchor.x + 1;
    y = anchor.y + 1;
  }
  regions.push({ aLow: x, aHigh, bLow: y, bHigh });
  return regions;
}

/** Position of each element, or -1 when there are several. */
function onlyOnce(values: Int32Array, low: number, high: number): Map<number, number> {
  const places = new Map<number, number>();
  for (let index = low; index < high; index += 1) {
    const id = at(values, index);
    places.set(id, places.has(id) ? -1 : index);
  }
  return places;
}

interface Anchor {
  readonly x: number;
  readonly y: number;
}

/** Patience sorting: the longest subsequence whose y rises. */
function longestRising(pairs: readonly Anchor[]): readonly Anchor[] {
  const tops: number[] = [];
  const previous = new Int32Array(pairs.length).fill(-1);
  for (const [index, { y }] of pairs.entries()) {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const half = (low + high) >> 1;
      if ((pairs[tops[half] ?? 0]?.y ?? 0) < y) low = half + 1;
      else high = half;
    }
    if (low > 0) previous[index] = tops[low - 1] ?? -1;
    tops[low] = index;
  }
  const rising: Anchor[] = [];
  for (let index = tops.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) {
    const anchor = pairs[index];
    if (anchor) rising.push(anchor);
  }
  return rising.reverse();
}

/** A pure insertion or deletion that could stand at several places is shown at the last one, as git does. */
export function slideDown<T>(a: ArrayLike<T>, b: ArrayLike<T>, runs: readonly DiffRun[]): readonly DiffRun[] {
  const slid: DiffRun[] = [];
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    let run = runs[index] as DiffRun; // within the bounds of the loop
    const next = slid.at(-1);
    const room = (next ? next.aStart : a.length) - run.aEnd;
    const values = run.aStart === run.aEnd ? b : run.bStart === run.bEnd ? a : undefined;
    if (values) {
      const [start, end] = values === a ? [run.aStart, run.aEnd] : [run.bStart, run.bEnd];
      let by = 0;
      while (by < room && values[start + by] === values[end + by]) by += 1;
      run = { aStart: run.aStart + by, aEnd: run.aEnd + by, bStart: run.bStart + by, bEnd: run.bEnd + by };
    }
    if (next && run.aEnd === next.aStart && run.bEnd === next.bStart)
      slid[slid.length - 1] = { ...next, aStart: run.aStart, bStart: run.bStart };
    else slid.push(run);
  }
  return slid.reverse();
}
