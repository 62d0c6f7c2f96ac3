import { splitWindowsWords } from './parse/windowsWords.ts';

/** Splits at blanks with the quoting of the platform; nothing else is interpreted. Undefined when a quote has no end. */
export function splitWords(text: string, platform: string): readonly string[] | undefined {
  if (platform === 'win32') return (text.split('"').length - 1) % 2 === 0 ? splitWindowsWords(text) : undefined;
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let i = 0; i < text.length; i += 1) {
    const c = text.charAt(i);
    const next = text[i + 1];
    if (c === quote) quote = '';
    else if (quote === '' && (c === "'" || c === '"')) {
      quote = c;
      word ??= '';
    } else if (c === '\\' && next !== undefined && (quote === '' || (quote === '"' && '$`"\\\n'.includes(next)))) {
      word = (word ?? '') + (next === '\n' ? '' : next);
      i += 1;
    } else if (quote === '' && /\s/.test(c)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + c;
    }
  }
  if (quote !== '') return undefined;
  return word === undefined ? words : [...words, word];
}
