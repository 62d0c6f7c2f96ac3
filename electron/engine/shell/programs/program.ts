import { type Command, literalWord, type Word } from '../parse/line.ts';
import type { CommandOptions } from './commandOptions.ts';
import type { Options } from './options.ts';
import type { Sweeps } from './sweeps.ts';

/** What one command runs besides itself. */
export interface Runs {
  /** The words of each command that it runs. */
  readonly commands?: readonly (readonly Word[])[] | undefined;
  /** Shell lines that it runs. */
  readonly scripts?: readonly (Word | string)[] | undefined;
  /** A line that is no shell line for certain: only good for finding dangers. */
  readonly loose?: string | undefined;
  /** Words up to the end of the name of the inner program, or of the script: a rule must reach so far. */
  readonly reach: number;
  /** The commands stand in several places; else the one is the tail of the outer command. */
  readonly apart?: true | undefined;
  /** Why what it runs cannot be known; such a command is never covered by a command rule. */
  readonly opaque?: string | undefined;
  /** Files that a text in its words writes. */
  readonly writes?: readonly Word[] | undefined;
}

/** How to find the program that a wrapper runs. Options that are not listed are taken as flags without a value. */
export interface Wraps {
  /** Options that take the next word as their value (`-u root`); glued values (`-uroot`) need no entry. */
  readonly valued?: string;
  /** Words between the options and the program (`timeout 60 …`). */
  readonly skip?: number;
  /** Options whose value is a whole shell line. */
  readonly script?: string;
  /** The rest is joined and given to a shell. */
  readonly joined?: true;
  /** A first word (after the options) that must stand there, else it is no wrapper. */
  readonly verbs?: string;
  /** With these first words it is no wrapper. */
  readonly unless?: RegExp;
}

/** What takes far more with it than a command of a project should, or may do so: words that are to be judged as places. */
export type Destruction =
  | { readonly why: string }
  | {
      /** What it does to them: `deletes`. */
      readonly verb: string;
      readonly words: readonly Word[];
      /** A word of which nothing is known counts as well. */
      readonly unknownToo?: boolean;
    };

/** Names of options that mean the same, `f force + mirror | d delete :`, and the letters that must have a value. */
export type FlagNames = readonly [same: string, valued?: string];

/** What is known of a program; each question (read-only proof, danger, rules, estimates, suggestions) is answered from here. */
export interface Program {
  /** Its names without folder and suffix; the first is the one that estimates go by. */
  readonly names: string;

  /** It shows more than it names. */
  readonly sweeps?: Sweeps;
  /** It only reads: always, with these options, or when this says so. */
  readonly reads?: true | Options | ((words: readonly Word[]) => boolean);
  /** Whole lines that only tell a version, `--version | -v`. More words could make it run something. */
  readonly versions?: string;

  /** Its words are only texts, only names, or messages and names of its own: they are not run. */
  readonly words?: 'text' | 'names' | 'messages';
  /** It runs what stands in its words or its input: code of a language, or commands. */
  readonly interprets?: 'code' | 'commands';
  /** A shell of the POSIX family, or one with another grammar. */
  readonly shell?: 'posix' | 'foreign';
  /** Its words may be hosts, or addresses without their scheme. */
  readonly connects?: true;

  readonly wraps?: Wraps;
  /** Options with which it takes a command. */
  readonly takes?: readonly CommandOptions[];
  /** Words of this form run what the first group holds. */
  readonly runsIn?: RegExp;
  /** The option behind which code stands. */
  readonly inline?: RegExp;
  readonly runs?: (command: Command) => Runs | undefined;
  /** The script of the package that it runs. */
  readonly script?: (argv: readonly string[]) => string | undefined;

  /** Which of its names it writes: all, all but the first, the first. `changes` says whether a program changes what it is given. */
  readonly writes?:
    | 'names'
    | 'rest'
    | 'first'
    | ((command: Command, names: readonly Word[], changes: (name: string) => boolean) => readonly Word[]);
  /** `writes` says all: its other words only name what it reads or looks for. */
  readonly tellsWrites?: true;
  /** Options whose value is a file or folder that it writes. */
  readonly outputs?: string;
  /** It changes the files that it is given: always, or with an option of this form. */
  readonly changes?: true | RegExp;
  readonly destroys?: (command: Command) => Destruction | undefined;

  /** By its verb; without a verb under the empty text. */
  readonly flags?: Readonly<Record<string, FlagNames>>;
  /** Options that a rule may leave open, because they name no program, file or configuration. Without them, or for a verb
   *  without them, those of which the name does not look like it. */
  readonly open?: Options | ((argv: readonly string[]) => Options | undefined);
  /** In place of `open`, for programs whose options are no options of others. */
  readonly opens?: (words: readonly Word[]) => boolean;
  /** What may stand behind `--`: the options of the program that is run there. */
  readonly behindDashes?: Options | 'guessed';
  /** Words of a line that name what it does; how many of them a rule is suggested for. Only with `open`. */
  readonly prefixes?: readonly (readonly [form: RegExp, length: number])[];

  /** Seconds that it is likely to take: always, or by the words that must follow. */
  readonly seconds?: number | Readonly<Record<string, number>>;
  /** The word that decides on `seconds` may stand behind others (`mvn clean install`). */
  readonly goals?: true;
  /** Options in front of the verb that take a value of their own. */
  readonly valued?: string;
  /** The program that it stands for: `python -m pip`. */
  readonly standsFor?: (rest: readonly string[]) => readonly [name: string, rest: readonly string[]] | undefined;
}

/** `/usr/bin/rm` and `C:\x\RM.EXE` are `rm`; a backslash in front (`\rm`) is gone after quote removal. */
export function programName(word: string): string {
  const name = word.split(/[\\/]/).at(-1) ?? '';
  return name.replace(/\.(?:exe|cmd|bat|com)$/i, '').toLowerCase();
}

/** Options that leave out what stands behind them. */
export const leavesOut = /^--?[\w-]*(?:exclude|ignore|skip|omit|prune|except|negate|without)[\w-]*$/;

const splitBefore = new Map<string, readonly string[]>();

/** The words of a field of a program; each is split once. */
export function split(field: string): readonly string[] {
  const words = splitBefore.get(field) ?? field.trim().split(/\s+/);
  splitBefore.set(field, words);
  return words;
}

/** Where a `cp` or an `install` writes: the last name and, because it may be a folder, each source's name below it. */
export function copied(names: readonly Word[], folders: readonly Word[]): readonly Word[] {
  const target = folders[0] ?? names.at(-1);
  if (!target) return [];
  const sources = folders.length > 0 ? names : names.slice(0, -1);
  return [target, ...sources.map((source) => below(target, source))];
}

function below(folder: Word, source: Word): Word {
  const base = source.value.replace(/\/+$/, '').split('/').at(-1) ?? '';
  const tail = literalWord(`/${base}`);
  return { raw: `${folder.raw}/${base}`, pieces: [...folder.pieces, ...tail.pieces], value: `${folder.value}/${base}` };
}

/** The values of options: the next word, behind `=`, or glued to a letter. */
export function optionValues(words: readonly Word[], forms: readonly string[]): readonly Word[] {
  const found: Word[] = [];
  for (const [index, word] of words.entries()) {
    const next = words[index + 1];
    if (forms.includes(word.value) && next) found.push(next);
    for (const form of forms) {
      const prefix = form.startsWith('--') ? `${form}=` : form;
      const isGlued = word.value.startsWith(prefix) && word.value.length > prefix.length;
      if (isGlued && !word.value.startsWith('--', form.length - 1))
        found.push(literalWord(word.value.slice(prefix.length)));
    }
  }
  return found;
}

/** A device of the machine, other than those that everybody writes to. */
export function isDevice(path: string): boolean {
  return /^\/dev\/(?!null$|zero$|stdout$|stderr$|stdin$|tty$|fd\/|full$|u?random$|tcp\/|udp\/|shm\/|pts\/)/.test(path);
}
