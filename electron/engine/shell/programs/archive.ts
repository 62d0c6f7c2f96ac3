import type { Command, Word } from '../parse/line.ts';
import { allLiteral } from './options.ts';
import { isDevice, optionValues, type Program, type Runs } from './program.ts';
import { copiedWhole, wholeTree } from './sweeps.ts';

/** By the manuals of GNU tar 1.35 and libarchive. */
export const tar: Program = {
  names: 'tar gtar bsdtar',
  reads: listsArchive,
  // A rule for tar leaves open what does not look like a program or a file, not only what lists.
  open: () => undefined,
  sweeps: (argv) =>
    argv.some(createsArchive) ? [...copiedWhole()(argv), ...(argv.some(namesFromFile) ? [wholeTree] : [])] : [],
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

/** `-T list`, `cfT a.tar list`: what is packed stands in a file. */
function namesFromFile(word: string, index: number): boolean {
  return index === 1 ? /^-?[A-Za-z]*T/.test(word) : /^-[A-Za-z]*T/.test(word);
}

/** `cf`, `-czf`, `--create`, `-rf`: the archive itself is written. */
function createsArchive(word: string, index: number): boolean {
  return (
    /^--(?:create|append|update|catenate|concatenate)$/.test(word) ||
    (index === 1 ? /^-?[A-Za-z]*[cruA]/ : /^-[A-Za-z]*[cru]/).test(word)
  );
}

/** `tvf a.tar`, `--list --file=a.tar`: proven where each option is known, and the archive is not on another machine (`host:a.tar`). */
function listsArchive(words: readonly Word[]): boolean {
  if (!allLiteral(words)) return false;
  let lists = false;
  for (let index = 0; index < words.length; index += 1) {
    const { value } = words[index] ?? { value: '' };
    const [, letters] = (index === 0 ? /^-?([A-Za-z]+)$/ : /^-([A-Za-z]+)$/).exec(value) ?? [];
    const archive = /^--file=(.*)$/s.exec(value)?.[1];
    if (letters !== undefined) {
      if (!/^[tvzjJ]*f?$/.test(letters)) return false;
      lists ||= letters.includes('t');
    } else if (value === '--list') lists = true;
    else if (archive !== undefined) {
      if (archive.includes(':')) return false;
    } else if (value.startsWith('-') && value !== '--file' && !listing.test(value)) return false;
    if (letters?.endsWith('f') || value === '--file') {
      index += 1;
      if (words[index] === undefined || words[index]?.value.includes(':')) return false;
    }
  }
  return lists;
}

const listing = /^--(?:verbose|gzip|bzip2|xz|zstd|numeric-owner|full-time|wildcards|no-wildcards|exclude=.*)$/s;

export const archives: readonly Program[] = [
  {
    names: 'zip',
    sweeps: (argv) => [...copiedWhole()(argv), ...(argv.includes('-@') ? [wholeTree] : [])],
    writes: 'first',
    takes: [{ long: 'unzip-command' }],
    runsIn: /^-TT(.+)$/s,
    runs: zipRuns,
  },
  { names: 'unzip', outputs: '-d' },
  // What they pack stands in their input.
  {
    names: 'cpio',
    takes: [{ long: 'rsh-command' }],
    sweeps: (argv) =>
      argv.some((word) => /^-[A-Za-z]*[op]|^--(?:create|pass-through)$/.test(word)) ? [wholeTree] : [],
  },
  { names: 'pax', sweeps: (argv) => [...copiedWhole()(argv), wholeTree] },
  {
    names: '7z 7za 7zz 7zr',
    sweeps: (argv) =>
      /^[au]$/.test(argv[1] ?? '')
        ? [...copiedWhole()(argv), ...(argv.some((word) => /^-?[ai]?r?@/.test(word)) ? [wholeTree] : [])]
        : [],
  },
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
