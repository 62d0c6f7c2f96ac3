const gitValued = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--super-prefix',
  '--config-env',
  '--exec-path',
]);

/** Where git's verb stands behind its global options; the number of words when there is none. */
export function gitVerbIndex(argv: readonly string[]): number {
  let index = 1;
  while (index < argv.length && (argv[index] ?? '').startsWith('-')) index += gitValued.has(argv[index] ?? '') ? 2 : 1;
  return Math.min(index, argv.length);
}
