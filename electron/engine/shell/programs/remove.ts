import type { Command } from '../parse/line.ts';
import { type Destruction, isDevice, type Program, programName } from './program.ts';

const recursive =
  /^-[A-Za-z]*[rR]|^--(?:r|re|rec|recu|recur|recurs|recursi|recursiv|recursive)$|^\/[sS]$|^-[Rr]ecurse$/;

const deletes = ({ argv, words }: Command): Destruction => {
  const isShred = programName(argv[0] ?? '') === 'shred';
  if (isShred && argv.slice(1).some(isDevice)) return { why: 'writes over a device' };
  const unknownToo = isShred || argv.slice(1).some((word) => recursive.test(word));
  return { verb: 'deletes', words: words.slice(1), unknownToo };
};

/** Programs that delete what they are given. */
export const remove: readonly Program[] = [
  {
    names: 'rm',
    words: 'messages',
    writes: 'names',
    changes: true,
    destroys: deletes,
    flags: { '': ['r R recursive | f force | d dir | i | I | v verbose'] },
  },
  ...['rmdir', 'unlink', 'shred'].map(
    (names): Program => ({ names, writes: 'names', changes: true, destroys: deletes }),
  ),
  ...['del', 'erase', 'rd'].map((names): Program => ({ names, writes: 'names', destroys: deletes })),
  ...['srm', 'rimraf', 'del-cli', 'trash', 'remove-item'].map((names): Program => ({ names, destroys: deletes })),
];
