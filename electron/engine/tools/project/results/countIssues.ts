/** What linters and compilers say of themselves at their end, each with numbers that are added. */
const sayings: readonly RegExp[] = [
  /^✖ (\d+) problems?/gm,
  /^(\d+) problems?(?: \(|$)/gm,
  /^Found (\d+) warnings? and (\d+) errors?/gm,
  /^Found (\d+) errors?(?:\.| and | in |$)/gm,
  /(?:^|, )(\d+) offenses? detected/gm,
  /^(\d+) issues?:?$/gm,
  /^\[ERROR\] Found (\d+) errors?/gm,
  /^(\d+) errors?, (\d+) warnings?, \d+ informations?/gm,
  /^(?:(\d+) warnings?)?(?: and )?(?:(\d+) errors?)? generated\.$/gm,
  /^\[warn\] Code style issues (?:were )?found in (\d+|the above) files?/gm,
];

/** How many issues a linter says it found; undefined where it does not say. */
export function countIssues(text: string): number | undefined {
  for (const saying of sayings) {
    const found = [...text.matchAll(saying)];
    if (found.length === 0) continue;
    const numbers = found.flatMap(([, ...groups]) => groups.map((group) => Number(group) || 0));
    return numbers.reduce((sum, number) => sum + number, 0);
  }
  return /^(?:All checks passed|All matched files use Prettier|Success: no issues found|no issues|[ \t]*\[OK\] No errors|No errors?(?:\.| found)|(?:✖ )?0 problems|\d+ files? inspected, no offenses detected)/im.test(
    text,
  )
    ? 0
    : undefined;
}
