/** A sentence of the engine in another language: the template that fits it, filled with its values. */
export type Said = (text: string) => string;

interface Template {
  readonly pattern: RegExp;
  readonly to: string;
  /** Which of its values are sentences again. */
  readonly nested: readonly boolean[];
  /** Of several that fit the first counts: one around a sentence, then that with most words of its own (`List the tabs` before `List {}`). */
  readonly rank: number;
}

/** What is longer is no sentence: details for the model, output of programs. */
const longestText = 2_000;

/** Templates are words with `{}` for a value and `{s}` for a sentence; `{2}` in the translation is the second of them. */
export function sayWith(sentences: readonly (readonly [from: string, to: string])[]): Said {
  let templates: readonly Template[] | undefined;
  const whole: Said = (text) => {
    templates ??= sentences.map(templateOf).toSorted((a, b) => b.rank - a.rank);
    for (const { pattern, to, nested } of templates) {
      const found = pattern.exec(text);
      if (!found) continue;
      const values = found.slice(1).map((value, index) => (nested[index] ? whole(value) : value));
      let next = 0;
      return to.replace(/\{(\d?)s?\}/g, (_hole, number: string) => values[number === '' ? next++ : +number - 1] ?? '');
    }
    return text;
  };
  return (text) => {
    if (text.length > longestText) return text;
    const said = whole(text);
    if (said !== text || !/\. [A-Z]/.test(text)) return said;
    // Several sentences in a row.
    return text
      .split(/(?<=\.) (?=[A-Z])/)
      .map(whole)
      .join(' ');
  };
}

const hole = /\{s?\}/g;

function templateOf([from, to]: readonly [string, string]): Template {
  const words = from.split(hole).map((piece) => piece.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  return {
    pattern: new RegExp(`^${words.join('(.+?)')}$`, 's'),
    to,
    nested: [...from.matchAll(hole)].map(([mark]) => mark === '{s}'),
    rank: from.replace(hole, '').length + (from.includes('{s}') ? 1_000 : 0),
  };
}
