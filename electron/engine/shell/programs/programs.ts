import { archives, tar } from './archive.ts';
import { awk } from './awk.ts';
import { builders, cargo, go, make } from './builders.ts';
import { containers } from './containers.ts';
import { copy, machine } from './copy.ts';
import { databases } from './databases.ts';
import { editors } from './editors.ts';
import { fd } from './fd.ts';
import { find } from './find.ts';
import { gatherers } from './gatherers.ts';
import { git } from './git.ts';
import { ag, grep, rg } from './grep.ts';
import { languages } from './languages.ts';
import { curl, network, ssh, wget } from './network.ts';
import { npm } from './npm.ts';
import { type Program, programName } from './program.ts';
import { python } from './python.ts';
import { readers } from './readers.ts';
import { remove } from './remove.ts';
import { sed } from './sed.ts';
import { shells } from './shells.ts';
import { wrappers } from './wrappers.ts';

/** Every program of which something is known. */
export const programs: readonly Program[] = [
  ...[git, sed, awk, find, fd, grep, rg, ag, tar, curl, wget, ssh, make, cargo, go],
  ...[
    readers,
    remove,
    copy,
    machine,
    archives,
    network,
    containers,
    databases,
    npm,
    python,
    languages,
    builders,
  ].flat(),
  ...[editors, shells, wrappers, gatherers].flat(),
];

const byName: ReadonlyMap<string, Program> = new Map(
  programs.flatMap((program) => program.names.split(' ').map((name) => [name, program] as const)),
);

/** What is known of the program of exactly this name. */
export function exactProgram(name: string): Program | undefined {
  return byName.get(name);
}

const nothing: Program = { names: '' };

/** What is known of the program that a word names, `/usr/bin/python3.12` and `mkfs.ext4` included; nothing for strangers. */
export function programOf(word: string): Program {
  return byName.get(word) ?? strangerOf(word);
}

function strangerOf(word: string): Program {
  const name = programName(word);
  const family = /^(?:(?:mkfs|newfs)(?=[._])|(?:python|pypy|pip|perl|ruby|php|lua)(?=[\d.]+$))/.exec(name)?.[0] ?? '';
  // `npx serve@14`: the version says nothing of what it does.
  const plain = name.replace(/(?<=.)@[\w.^~*-]+$/, '');
  return byName.get(plain) ?? byName.get(family) ?? nothing;
}

/** Whatever its options are, it only reads. */
export const onlyReads = (name: string): boolean => byName.get(name)?.reads === true;
