interface Semver {
  readonly numbers: readonly bigint[];
  /** Empty for a release. */
  readonly pre: readonly string[];
}

/** A version that may become a file name. */
export function isSafeVersion(version: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/.test(version);
}

function parseVersion(text: string): Semver | undefined {
  if (text.length > 100) return undefined;
  const [, core, pre] = /^v?(\d+(?:\.\d+)*)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]*)?$/.exec(text) ?? [];
  if (core === undefined) return undefined;
  return { numbers: core.split('.').map(BigInt), pre: pre?.split('.') ?? [] };
}

/**
 * Orders versions: by their numbers (missing parts are 0), a pre-release below its release, build metadata not at all;
 * what is no version lies below all and is ordered as text.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parseVersion(a), parseVersion(b)];
  if (left === undefined || right === undefined) {
    if (left !== undefined) return 1;
    if (right !== undefined) return -1;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  for (let i = 0; i < Math.max(left.numbers.length, right.numbers.length); i += 1) {
    const [x, y] = [left.numbers[i] ?? 0n, right.numbers[i] ?? 0n];
    if (x !== y) return x < y ? -1 : 1;
  }
  return comparePre(left.pre, right.pre);
}

function comparePre(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length; // a release is above its pre-releases
  for (let i = 0; i < Math.max(a.length, b.length); i += 1) {
    const [x, y] = [a[i], b[i]];
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1;
    if (x === y) continue;
    const [xNumber, yNumber] = [/^\d+$/.test(x), /^\d+$/.test(y)];
    if (xNumber && yNumber) return BigInt(x) < BigInt(y) ? -1 : 1;
    if (xNumber !== yNumber) return xNumber ? -1 : 1;
    return x < y ? -1 : 1;
  }
  return 0;
}

/** The version to use for what is installed: the same, else the highest that is not newer, else the lowest newer one. */
export function pickVersion(
  known: readonly string[],
  installed: string,
): { readonly version: string; readonly exact: boolean } | undefined {
  if (known.includes(installed)) return { version: installed, exact: true };
  const sorted = known.toSorted(compareVersions);
  const older = sorted.findLast((version) => compareVersions(version, installed) <= 0);
  const version = older ?? sorted[0];
  return version === undefined ? undefined : { version, exact: false };
}
