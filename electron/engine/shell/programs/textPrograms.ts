/**
 * Programs whose arguments are only texts or names: what stands there is not run. `git` and `sed` have readers of their own.
 */
const printers: ReadonlySet<string> = new Set([
  ...[
    'echo',
    'printf',
    'cat',
    'grep',
    'egrep',
    'fgrep',
    'rg',
    'which',
    'type',
    'whereis',
    'ls',
    'test',
    '[',
    '[[',
    'cd',
  ],
  ...[
    'head',
    'tail',
    'wc',
    'cut',
    'tr',
    'diff',
    'stat',
    'du',
    'basename',
    'dirname',
    'jq',
    'gh',
    'glab',
    'curl',
    'command',
  ],
]);

export function isPrinter(name: string): boolean {
  return printers.has(name);
}
