import { type HereDocument, hereDocumentAt, skipHereDocuments } from './hereDocuments.ts';
import { endOfSubstitution } from './substitution.ts';

/** The words of one simple command, unquoted. */
export type SimpleCommand = readonly string[];

const maxDepth = 8;
/** Words after which a command begins anew. */
const leading = new Set(['if', 'then', 'else', 'elif', 'while', 'until', 'do', '!', '{']);

/**
 * Every simple command of a text, those inside `$(...)` and backticks included, without its redirections; comments and the
 * texts of here-documents are none. It only serves estimates: what it does not
 * understand it reads as words. Rules about permission have their own, stricter reading.
 */
export function simpleCommands(text: string, depth = 0): readonly SimpleCommand[] {
  const commands: SimpleCommand[] = [];
  if (depth > maxDepth) return commands;
  const hereDocuments: HereDocument[] = [];
  let words: string[] = [];
  let word: string | undefined;
  /** The next word is where a redirection leads. */
  let target = false;
  let i = 0;
  const endWord = (): void => {
    if (word === undefined) return;
    if (!target && !(words.length === 0 && leading.has(word))) words.push(word);
    target = false;
    word = undefined;
  };
  const endCommand = (): void => {
    endWord();
    if (words.length > 0) commands.push(words);
    words = [];
    target = false;
  };
  const nested = (inner: string): void => {
    commands.push(...simpleCommands(inner, depth + 1));
    word = `${word ?? ''}$()`;
  };
  const substitution = (): boolean => {
    if (text.startsWith('$(', i)) {
      const end = endOfSubstitution(text, i + 2);
      nested(text.slice(i + 2, end < 0 ? text.length : end));
      i = end < 0 ? text.length : end + 1;
      return true;
    }
    if (text[i] === '`') {
      const end = endOfSubstitution(text, i + 1, '`');
      nested(text.slice(i + 1, end < 0 ? text.length : end));
      i = end < 0 ? text.length : end + 1;
      return true;
    }
    return false;
  };
  while (i < text.length) {
    const c = text.charAt(i);
    if (substitution()) continue;
    if (c === "'") {
      const end = text.indexOf("'", i + 1);
      word = (word ?? '') + text.slice(i + 1, end < 0 ? text.length : end);
      i = end < 0 ? text.length : end + 1;
    } else if (c === '"') {
      word ??= '';
      i += 1;
      while (i < text.length && text[i] !== '"') {
        if (substitution()) continue;
        if (text[i] === '\\' && '$`"\\'.includes(text[i + 1] ?? ' ')) i += 1;
        word += text.charAt(i);
        i += 1;
      }
      i += 1;
    } else if (c === '\\') {
      if (text[i + 1] !== '\n') word = (word ?? '') + (text[i + 1] ?? '');
      i += 2;
    } else if (c === '#' && word === undefined) {
      const end = text.indexOf('\n', i);
      i = end < 0 ? text.length : end;
    } else if (c === '<' || c === '>' || (c === '&' && text[i + 1] === '>')) {
      if (/^\d+$/.test(word ?? '')) word = undefined; // the number of what is redirected
      endWord();
      const document = text.startsWith('<<', i) && text[i + 2] !== '<' ? hereDocumentAt(text, i) : undefined;
      if (document) hereDocuments.push(document);
      i += document?.length ?? (/^(?:<<<|[<>&][<>&|]?[>]?)/.exec(text.slice(i, i + 3))?.[0].length || 1);
      target = document === undefined && text[i] !== '(';
    } else if (c === '\n') {
      endCommand();
      i = skipHereDocuments(text, i + 1, hereDocuments.splice(0));
    } else if (';|&()'.includes(c)) {
      if (c === '&' && isSqueezed(text, i)) word = `${word ?? ''}&`;
      else endCommand();
      i += 1;
    } else if (c === ' ' || c === '\t' || c === '\r') {
      endWord();
      i += 1;
    } else {
      word = (word ?? '') + c;
      i += 1;
    }
  }
  endCommand();
  return commands;
}

function isSqueezed(text: string, at: number): boolean {
  return /[^\s&|;]/.test(text[at - 1] ?? ' ') && /[^\s&|;]/.test(text[at + 1] ?? ' ');
}
