import type { Command } from '../parse/line.ts';
import { names } from './options.ts';
import type { Program, Runs } from './program.ts';
import { wholeTree } from './sweeps.ts';

export const fd: Program = {
  names: 'fd fdfind',
  reads: {
    short: 'HIusigFap0LqhVt:e:E:d:S:j:c:',
    long: names(
      'hidden no-ignore no-ignore-vcs unrestricted case-sensitive ignore-case glob fixed-strings absolute-path follow ' +
        'full-path print0 type= extension= exclude= max-depth= min-depth= exact-depth= size= changed-within= ' +
        'changed-before= color= threads= max-results= quiet regex prune one-file-system help version',
    ),
  },
  sweeps: (argv) => (argv.some((word) => runsEach.test(word)) ? [wholeTree] : []),
  runs,
};

/** It runs a program with each name that it finds. */
const runsEach = /^(?:-[A-Za-z]*[xX]|--exec(?:-batch)?)$/;

function runs({ argv, words }: Command): Runs | undefined {
  const index = argv.findIndex((word) => runsEach.test(word));
  const inner = words.slice(index + 1);
  return index < 0 || inner.length === 0 ? undefined : { commands: [inner], reach: index + 2 };
}
