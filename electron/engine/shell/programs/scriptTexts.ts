import { type Command, isLiteral, literalWord, type Word } from '../parse/line.ts';
import type { Runs } from './program.ts';

/** What a program text does besides changing what it prints. */
export interface TextEffects {
  /** Shell lines that it runs. */
  readonly runs: readonly string[];
  /** Names of files that it writes; null where a name is only known when it runs. */
  readonly writes: readonly (string | null)[];
  /** It runs what it reads, so that nobody knows. */
  readonly runsInput: boolean;
}

/** Where the texts of a program stand among its words. */
export interface TextForms {
  /** The option whose next word is a text. */
  readonly option: RegExp;
  /** A text glued to its option. */
  readonly glued: RegExp;
  /** Options that take the next word as another value. */
  readonly valued: RegExp;
}

const unknownWord: Word = {
  raw: 'a file that its script names',
  value: 'a file that its script names',
  pieces: [{ kind: 'substitution', text: '$(awk)' }],
};

/** What the texts of sed or awk run and write. */
export function textRuns(
  { words, argv }: Command,
  forms: TextForms,
  read: (text: string) => TextEffects | undefined,
  name: string,
): Runs | undefined {
  const scripts: string[] = [];
  const writes: Word[] = [];
  let opaque: string | undefined;
  let reach = 0;
  for (const { word, text, at } of textsIn(words, forms)) {
    const effects = read(text);
    const isWhole = !isLiteral(word) && word.pieces.find((piece) => piece.text !== '')?.kind !== 'text';
    if (isWhole) opaque = `the script of ${name} is only known when it runs`;
    else if (!effects || !isLiteral(word)) opaque ??= `the script of ${name} is not understood`;
    else if (effects.runsInput) opaque = `what ${name} runs is only known when it runs`;
    scripts.push(...(effects?.runs ?? []));
    for (const file of effects?.writes ?? []) writes.push(file === null ? unknownWord : literalWord(file));
    if (opaque !== undefined || scripts.length + writes.length > 0) reach = Math.max(reach, at + 1);
  }
  if (reach === 0) return undefined;
  return { scripts, writes, reach: Math.min(reach, argv.length), apart: true, opaque };
}

interface Text {
  readonly word: Word;
  readonly text: string;
  readonly at: number;
}

/** The values of `-e`, else the first word that is no option. */
function textsIn(words: readonly Word[], { option, glued, valued }: TextForms): readonly Text[] {
  const given: Text[] = [];
  let first: Text | undefined;
  let isFile = false;
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at];
    if (!word) continue;
    const next = words[at + 1];
    const tail = glued.exec(word.value)?.[1];
    if (option.test(word.value) && next) {
      at += 1;
      given.push({ word: next, text: next.value, at });
    } else if (tail !== undefined) given.push({ word, text: tail, at });
    else if (valued.test(word.value)) {
      isFile ||= /^(?:-[fE]|--file|--exec)$/.test(word.value);
      at += 1;
    } else if (!/^-./.test(word.value)) first ??= { word, text: word.value, at };
    else if (/^-f./.test(word.value)) isFile = true;
  }
  return given.length > 0 || isFile || !first ? given : [first];
}
