import { type Command, literalWord, type Word } from '../parse/line.ts';
import { copied, type Destruction, isDevice, optionValues, type Program } from './program.ts';
import { copiedWhole } from './sweeps.ts';

const target = ({ words }: Command): readonly Word[] => optionValues(words, ['-t', '--target-directory']);
const copies = (command: Command, names: readonly Word[]): readonly Word[] => copied(names, target(command));
/** Behind a link, or what was moved, another name leads to the same place. */
const both = (command: Command, names: readonly Word[]): readonly Word[] => [...names, ...copies(command, names)];

const toDevice = ({ argv }: Command): Destruction | undefined =>
  argv.slice(1).some(isDevice) ? { why: 'writes over a device' } : undefined;

const ownersOf = ({ argv, words }: Command): Destruction | undefined =>
  argv.slice(1).some((word) => /^-[A-Za-z]*R|^--recursive$/.test(word))
    ? { verb: 'changes the owners or rights of', words: words.slice(1) }
    : undefined;

/** Programs that make, copy, move or change the files they are given. */
export const copy: readonly Program[] = [
  {
    names: 'cp',
    words: 'messages',
    sweeps: copiedWhole(/^(?:-[A-Za-z]*[rRa].*|--(?:recursive|archive))$/),
    changes: true,
    tellsWrites: true,
    // A copy may be a link.
    writes: (command, names) => [
      ...copies(command, names),
      ...(command.argv.some((word) => /^-[A-Za-z]*[ls]|^--(?:link|symbolic-link)$/.test(word)) ? names : []),
    ],
    destroys: toDevice,
    flags: { '': ['r R recursive a archive | f force | t target-directory', 'tS'] },
  },
  {
    names: 'mv',
    words: 'messages',
    changes: true,
    writes: both,
    destroys: ({ words }) => ({ verb: 'moves away', words: words.slice(1, -1) }),
    flags: { '': ['f force | t target-directory', 'tS'] },
  },
  { names: 'ln', changes: true, writes: both, flags: { '': ['s symbolic | f force', 'tS'] } },
  { names: 'rename', changes: true, writes: both },
  { names: 'install', changes: true, writes: copies },
  ...['move', 'ren'].map((names): Program => ({ names, writes: both })),
  ...['copy', 'xcopy'].map((names): Program => ({ names, writes: copies })),
  { names: 'touch', words: 'messages', changes: true, writes: 'names' },
  { names: 'mkdir', words: 'messages', changes: true, writes: 'names' },
  { names: 'tee', changes: true, writes: 'names', destroys: toDevice },
  { names: 'sponge', changes: true, writes: 'names' },
  ...['mkfifo', 'md', 'nano'].map((names): Program => ({ names, writes: 'names' })),
  { names: 'patch', changes: true, writes: 'names' },
  {
    names: 'truncate',
    changes: true,
    writes: 'names',
    destroys: ({ words }) => ({ verb: 'empties', words: words.slice(1) }),
  },
  ...['chmod', 'chown', 'chgrp'].map(
    (names): Program => ({
      names,
      changes: true,
      writes: 'rest',
      destroys: ownersOf,
      flags: { '': ['r R recursive | f force'] },
    }),
  ),
  ...['chattr', 'setfacl'].map((names): Program => ({ names, destroys: ownersOf })),
  {
    names: 'dd',
    changes: true,
    writes: ({ argv }) => argv.filter((word) => word.startsWith('of=')).map((word) => literalWord(word.slice(3))),
    destroys: ({ argv }) =>
      argv.some((word) => word.startsWith('of=') && isDevice(word.slice(3)))
        ? { why: 'writes over a device' }
        : undefined,
  },
];

const looksOnly = /^(?:-l|--list|-h|--help|-V|--version)$/;

/** Programs for a whole disk or machine. */
export const machine: readonly Program[] = [
  ...'mkfs mke2fs mkswap wipefs blkdiscard diskpart newfs fdisk sfdisk gdisk sgdisk parted cryptsetup'.split(' ').map(
    (names): Program => ({
      names,
      destroys: ({ argv }) => (argv.some((word) => looksOnly.test(word)) ? undefined : { why: 'formats a disk' }),
    }),
  ),
  {
    names: 'format',
    destroys: ({ argv }) => (argv.some((word) => /^[A-Za-z]:$/.test(word)) ? { why: 'formats a disk' } : undefined),
  },
  ...['shutdown', 'reboot', 'halt', 'poweroff'].map(
    (names): Program => ({ names, destroys: () => ({ why: 'switches the machine off' }) }),
  ),
];
