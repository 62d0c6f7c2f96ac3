/** What linters say of themselves at their end, each with the number of issues. */
const sayings: readonly RegExp[] = [
  /✖ (\d+) problems?/,
  /^Found (\d+) errors?/m,
  /^Found (\d+) errors?(?: and | in )/m,
  /^(\d+) offenses? detected/m,
  /, (\d+) offenses? detected/,
  /^(\d+) issues?:?$/m,
  /(\d+) issues? found/i,
  /^\[ERROR\] Found (\d+) errors?/m,
];
const pair = /^Found (\d+) warnings? and (\d+) errors?/m;

/** How many issues a linter found: its own number, else the places it names. */
export function countIssues(stdout: string, stderr: string): number | undefined {
  const text = `${stdout}\n${stderr}`;
  const both = pair.exec(text);
  if (both) return Number(both[1]) + Number(both[2]);
  for (const saying of sayings) {
    const found = saying.exec(text);
    if (found) return Number(found[1]);
  }
  const rust = [...text.matchAll(/^(?:warning|error)(?:\[\w+\])?: .*\n[ \t]+--> /gm)].length;
  if (rust > 0) return rust;
  const places = [...text.matchAll(/^\S[^\s:]*\.\w{1,5}:\d+(?::\d+)?:? \S/gm)].length;
  if (places > 0) return places;
  return /^All checks passed|no issues|0 problems/im.test(text) ? 0 : undefined;
}
