import { posix } from 'node:path';
import type { CommandPart, Word } from '../commandParts/types.ts';

/** Where a command runs; what is unknown is left out, and judged by the text alone. */
export interface Surroundings {
  readonly cwd?: string;
  readonly home?: string;
  readonly platform?: NodeJS.Platform;
}

/** Stands for a part of a path that is only known when the command runs. */
const unknown = '\u{F0000}';

/**
 * The text of a word as a path: `~`, `$HOME` and `$PWD` are put in, other expansions become a mark that no path contains.
 * Glob characters stay.
 */
export function pathText(word: Word, { home }: Surroundings): string {
  return word.pieces
    .map((piece) => {
      if (piece.kind === 'text' || piece.kind === 'glob' || piece.kind === 'brace') return piece.text;
      if (piece.kind === 'tilde') return home ?? '~';
      if (piece.kind === 'variable' && piece.name === 'HOME') return home ?? '~';
      if (piece.kind === 'variable' && piece.name === 'PWD') return '.';
      return unknown;
    })
    .join('');
}

/** What a word may become when an unknown part turns out empty: `"$X"/*` is `/*`. */
export function emptied(text: string): string {
  return text.replaceAll(unknown, '');
}

export function isUnknown(text: string): boolean {
  return text.includes(unknown);
}

/** True when nothing of the word is known. */
export function isWhollyUnknown(text: string): boolean {
  return text !== '' && text.replaceAll(unknown, '').replaceAll('/', '') === '' && text.startsWith(unknown);
}

/** The folders in which a part may run: where the line starts, and wherever a `cd` of the line leads. */
export function foldersOf(parts: readonly CommandPart[], around: Surroundings): readonly string[] {
  const folders = new Set([around.cwd ?? '.']);
  for (const { argv, words } of parts) {
    const target = words.find((word, index) => index > 0 && !/^-./.test(word.value));
    if (!/^(?:cd|chdir|pushd|git|make|env|tar)$/.test(argv[0] ?? '')) continue;
    const isFolder = /^(?:cd|chdir|pushd)$/.test(argv[0] ?? '');
    const option = words[argv.findIndex((word) => word === '-C' || word === '--directory') + 1];
    const folder = isFolder ? target : option !== words[0] ? option : undefined;
    // `cd` alone goes home.
    const text = folder ? pathText(folder, around) : isFolder ? (around.home ?? '~') : undefined;
    if (text === undefined || isUnknown(text)) continue;
    for (const known of [...folders].slice(0, 16)) folders.add(joined(known, text));
  }
  return [...folders];
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
