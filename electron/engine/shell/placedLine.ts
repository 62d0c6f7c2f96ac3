import { posix } from 'node:path';
import type { Command, ParsedLine, Word } from './parse/line.ts';
import { deepCommands } from './unwrap.ts';
import { isSaid, isUnknown, type Known, pathTexts, valuesOf } from './values.ts';

/** Where a command runs; what is unknown is left out, and judged by the text alone. */
export interface Surroundings extends Known {
  readonly cwd?: string | undefined;
  readonly platform?: NodeJS.Platform | undefined;
}

/** Each folder is tried with each file that is named behind it. */
const maxFolders = 32;

/** A line with everything that it runs, and where. */
export interface PlacedLine extends Folders {
  readonly line: ParsedLine;
  /** Those that wrappers run, too. */
  readonly commands: readonly Command[];
  readonly around: Surroundings;
}

export interface Place extends Omit<Surroundings, 'values'> {
  /** What the call adds to the environment. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

/** Works out once what every question about a line asks: its commands, variables and folders. */
export function placed(line: ParsedLine, { environment, ...place }: Place): PlacedLine {
  const { commands, loops } = deepCommands(line);
  const around = { ...place, values: valuesOf(commands, loops, { environment, functions: line.functions }) };
  return { line, commands, around, ...foldersOf(commands, around) };
}

export interface Folders {
  readonly folders: readonly string[];
  /** Where its commands run, by `cd` and its like; the others are named in the words of single commands. */
  readonly entered: readonly string[];
  /** Else there are too many to follow: such a line is asked, whatever it writes. */
  readonly isComplete: boolean;
}

/** The folders in which a command may run: where the line starts, and wherever a `cd` of the line leads. */
function foldersOf(commands: readonly Command[], around: Surroundings): Folders {
  const start = around.cwd ?? '.';
  const folders = new Set([start]);
  const entered = new Set([start]);
  for (const { argv, words } of commands) {
    if (!/^(?:cd|chdir|pushd|git|make|env|tar)$/.test(argv[0] ?? '')) continue;
    const isFolder = /^(?:cd|chdir|pushd)$/.test(argv[0] ?? '');
    const folder = isFolder
      ? words.find((word, index) => index > 0 && !/^-./.test(word.value))
      : optionFolder(argv, words);
    // `cd` alone goes home.
    const texts = folder ? pathTexts(folder, around) : isFolder ? [around.home ?? '~'] : [];
    for (const text of texts) {
      if (isUnknown(text) && !isSaid(text)) continue;
      for (const form of alternatives(text))
        for (const known of [...folders]) {
          if (folders.size >= maxFolders) break;
          folders.add(joined(known, form));
          if (isFolder) entered.add(joined(known, form));
        }
    }
  }
  return folders.size < maxFolders
    ? { folders: [...folders], entered: [...entered], isComplete: true }
    : { folders: [start], entered: [start], isComplete: false };
}

function optionFolder(argv: readonly string[], words: readonly Word[]): Word | undefined {
  const at = argv.findIndex((word) => /^(?:-C|--directory|--chdir)$/.test(word));
  if (at > 0) return words[at + 1];
  const glued = words.find(({ value }) => /^(?:-C.|--(?:directory|chdir)=.)/.test(value));
  if (!glued) return undefined;
  const text = glued.value.replace(/^(?:-C|--\w+=)/, '');
  return { raw: text, value: text, pieces: [{ kind: 'text', text, quoted: true }] };
}

export function joined(folder: string, path: string): string {
  return path.startsWith('/') || path.startsWith('~') || /^[A-Za-z]:/.test(path)
    ? posix.normalize(path)
    : posix.normalize(`${folder}/${path}`);
}

/** What a brace expansion may become, `{/,x}` both `/` and `x`; at most 64 forms. The text itself is one of them. */
export function alternatives(text: string): readonly string[] {
  const found = [text];
  for (let index = 0; index < found.length && found.length < 64; index += 1) {
    const match = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(found[index] ?? '');
    if (match) found.push(...(match[2] ?? '').split(',').map((inner) => `${match[1]}${inner}${match[3]}`));
  }
  return found;
}
