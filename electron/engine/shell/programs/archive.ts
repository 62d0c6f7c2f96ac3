import type { Command } from '../parse/line.ts';
import { isDevice, optionValues, type Program, type Runs } from './program.ts';
import { copiedWhole } from './sweeps.ts';

/** By the manuals of GNU tar 1.35 and libarchive. */
export const tar: Program = {
  names: 'tar gtar bsdtar',
  sweeps: (argv) => (argv.some(createsArchive) ? copiedWhole()(argv) : []),
  takes: [
    { long: 'to-command use-compress-program rsh-command info-script new-volume-script', short: 'IF' },
    { long: 'checkpoint-action', within: /^exec=(.*)$/s },
  ],
  writes: ({ argv, words }, names) => [
    ...optionValues(words, ['-C', '--directory']),
    ...(argv.some(createsArchive) ? [...optionValues(words, ['-f', '--file']), ...names.slice(0, 2)] : []),
  ],
  destroys: ({ argv }) =>
    argv.some(createsArchive) && argv.some((word) => isDevice(word.replace(/^(?:--file=|-[a-zA-Z]*f)/, '')))
      ? { why: 'writes over a device' }
      : undefined,
};

/** `cf`, `-czf`, `--create`, `-rf`: the archive itself is written. */
function createsArchive(word: string, index: number): boolean {
  return index === 1 ? /^-?[A-Za-z]*[cruA]/.test(word) : /^-[A-Za-z]*[cru]|^--(?:create|append|update)$/.test(word);
}

export const archives: readonly Program[] = [
  {
    names: 'zip',
    sweeps: copiedWhole(),
    writes: 'first',
    takes: [{ long: 'unzip-command' }],
    runsIn: /^-TT(.+)$/s,
    runs: zipRuns,
  },
  { names: 'unzip', outputs: '-d' },
  { names: 'cpio', takes: [{ long: 'rsh-command' }] },
  ...['gzip', 'gunzip', 'xz', 'bzip2'].map(
    (names): Program => ({ names, writes: 'names', outputs: '-o', changes: true }),
  ),
  ...['bunzip2', 'unxz', 'zstd'].map((names): Program => ({ names, writes: 'names', outputs: '-o' })),
];

function zipRuns({ argv }: Command): Runs | undefined {
  const at = argv.indexOf('-TT');
  const script = at < 1 ? undefined : argv[at + 1];
  return script === undefined ? undefined : { scripts: [script], reach: at + 2, apart: true };
}
