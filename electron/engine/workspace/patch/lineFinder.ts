/** Lines as they are compared when line ends do not count. */
export function bare(line: string): string {
  if (line.endsWith('\r\n')) return `${line.slice(0, -2)}\n`;
  return line.endsWith('\r') ? `${line.slice(0, -1)}\n` : line;
}

/** The lines of a file, to look for some of them. */
export interface Finder {
  readonly file: readonly string[];
  /** With `\n` for any line end. */
  readonly keys: readonly string[];
  /** Positions of each line, built when the first hunk is not where it says. */
  positions(key: string): readonly number[];
}

export function createFinder(file: readonly string[]): Finder {
  const keys = file.some((line) => line.includes('\r')) ? file.map(bare) : file;
  let index: Map<string, number[]> | undefined;
  const build = () => {
    const built = new Map<string, number[]>();
    for (const [position, key] of keys.entries()) {
      const known = built.get(key);
      if (known) known.push(position);
      else built.set(key, [position]);
    }
    return built;
  };
  return {
    file,
    keys,
    positions: (key) => (index ??= build()).get(key) ?? [],
  };
}

export function matches(keys: readonly string[], wanted: readonly string[], at: number): boolean {
  for (let offset = 0; offset < wanted.length; offset += 1) if (keys[at + offset] !== wanted[offset]) return false;
  return true;
}

/** The place where all these lines stand that is nearest to the stated one; of two equally near the one further down. */
export function nearest(
  finder: Finder,
  wanted: readonly string[],
  stated: number,
  fits: (at: number) => boolean,
): number | undefined {
  if (fits(stated)) return stated;
  // The rarest line of the hunk says where to look at all.
  let rarest = 0;
  let places: readonly number[] | undefined;
  for (const [offset, key] of wanted.entries()) {
    const found = finder.positions(key);
    if (places === undefined || found.length < places.length) {
      places = found;
      rarest = offset;
    }
    if (found.length === 0) return undefined;
  }
  const candidates = places ?? [];
  let below = firstAtLeast(candidates, stated + rarest);
  let above = below - 1;
  while (above >= 0 || below < candidates.length) {
    const up = candidates[above];
    const down = candidates[below];
    const upDistance = up === undefined ? Infinity : stated + rarest - up;
    const downDistance = down === undefined ? Infinity : down - stated - rarest;
    const at = (downDistance <= upDistance ? (down ?? 0) : (up ?? 0)) - rarest;
    if (fits(at)) return at;
    if (downDistance <= upDistance) below += 1;
    else above -= 1;
  }
  return undefined;
}

function firstAtLeast(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const half = (low + high) >> 1;
    if ((sorted[half] ?? 0) < value) low = half + 1;
    else high = half;
  }
  return low;
}
