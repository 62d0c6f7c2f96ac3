import type { SpecFlag, ValueType } from '../specTypes.ts';

/** One row of options, before it becomes flags. */
export interface OptionRow {
  readonly longs: readonly { readonly name: string; readonly negatable: boolean }[];
  readonly short?: string;
  /** The mark of the value, without brackets; undefined for a flag that takes none. */
  readonly value?: string;
  readonly text: string;
  /** Blanks between the names and the text; 0 when there is no text on the line. */
  readonly gap: number;
}

const longName = /^--(\[no-?\]|\(no-?\))?([A-Za-z0-9][A-Za-z0-9_.+-]*)/;
const shortName = /^-([^\sA-Za-z0-9<-]|[A-Za-z0-9])(?![A-Za-z0-9_-])/;
/** One dash and several letters, or a placeholder: v1 of the schema has no such flags, but a long form may follow. */
const oldName = /^-(?:[A-Za-z0-9][A-Za-z0-9_.+-]*|<[^>]*>)/;
const joint = /^(?: *, *| *\| *| *\/ *| +or +| - (?=--)| +\.{3,} +(?=--)| )(?=-\S)/;
const wideJoint = /^ {2,6}(?=--[a-z[(])/;

/** A value goes on over brackets, and over a comma that no blank and no option follows. */
const piece = String.raw`(?:<[^>]*>|\{[^}]*\}|"[^"]*"|'[^']*'|\[[^\]\s]*\]|[^\s,]|,(?=[^\s-]))`;
const boundValue = new RegExp(`^(=${piece}*|\\[=?(?:<[^>]*>|[^\\s])*)`);
const bracketValue = new RegExp(
  `^ ?(?=[<{"[(])(?!\\[-|\\([a-z])(<[^>]*>${piece}*|\\{[^}]*\\}|\\[\\[?[^\\]]*\\](?:[^\\s\\]]*\\])?(?:\\.\\.\\.)?|"[^"]*"|\\("[^"]*"\\))`,
);
const capitalValue = /^ ([A-Z][A-Z0-9_.|:=/@+[\]*-]*(?:\.\.\.)?|[A-Z]+(?:[,;][A-Z.]+)+)(?=\s|,|$)/;
const typeValue =
  /^ (string|strings|stringArray|stringSlice|stringToString|int|ints|uint|int32|int64|uint16|uint32|uint64|float|float32|float64|duration|bytes|list|number|ip|value|boolean)(?= {2,}|$)/;
const wordValue =
  /^ ([a-z][a-z0-9_.:/|-]*:?|[a-z](?: [a-z]){1,2}|[A-Z][a-z]+[A-Z]\w*)(?= {2,}\S)|^ ([a-z][^\s,]*)(?=, *-)|^ ([a-z]+(?:\|[a-z]+)+):?(?= |$)/;

/** `--alias-<LANG>` is the beginning of many names and none itself. */
function addLong(longs: { name: string; negatable: boolean }[], name: string, negatable: boolean): void {
  const plain = name.replace(/[.+]+$/, '');
  if (!plain.endsWith('-')) longs.push({ name: plain, negatable });
}

/** Reads a line that begins with a dash as a row of options; undefined when it is something else. */
export function parseOptionRow(line: string): OptionRow | undefined {
  const longs: { name: string; negatable: boolean }[] = [];
  let short: string | undefined;
  let value: string | undefined;
  // `[--name=V]` is how Thor writes an option that need not be given.
  const plain = /^(?:-\w, )?\[--/.test(line) ? line.replaceAll(/\[(--[^\]\s]*)\]/g, '$1') : line;
  let rest = plain.replace(/,$/, '');
  for (let count = 0; count < 12; count += 1) {
    const long = longName.exec(rest);
    const one = long ? null : shortName.exec(rest);
    const name = long ?? one ?? oldName.exec(rest);
    if (name === null) return undefined;
    if (long?.[2] !== undefined) addLong(longs, long[2], long[1] !== undefined);
    else if (one?.[1] !== undefined) short ??= one[1];
    rest = rest.slice(name[0].length);
    const taken = takeValue(rest);
    value ??= taken.value;
    rest = taken.rest;
    const next = joint.exec(rest) ?? (longs.length === 0 ? wideJoint.exec(rest) : null);
    if (next === null) break;
    rest = rest.slice(next[0].length);
  }
  const [, space = '', text = ''] = /^(\s*)(?:[:=#\u2013\u2014]\s+|-\s+)?(.*)$/.exec(rest) ?? [];
  const marked = /^\s*(?:[:=\u2013\u2014]|-)\s/.test(rest);
  if (rest !== '' && space === '' && !marked) return undefined; // the name runs on into something else
  return {
    longs,
    short,
    value,
    text,
    gap: text === '' ? 0 : marked ? 2 : space.length,
  };
}

function takeValue(text: string): { readonly value?: string; readonly rest: string } {
  const typed = /^ \((string|integer|float|list|map|boolean)\)(?= |$)/.exec(text);
  if (typed?.[1] !== undefined)
    return typed[1] === 'boolean'
      ? { rest: text.slice(typed[0].length) }
      : { value: typed[1], rest: text.slice(typed[0].length) };
  let rest = text;
  let value: string | undefined;
  for (let count = 0; count < 6; count += 1) {
    const found =
      (count === 0 ? boundValue.exec(rest) : null) ??
      bracketValue.exec(rest) ??
      capitalValue.exec(rest) ??
      (count === 0 ? (typeValue.exec(rest) ?? wordValue.exec(rest)) : null);
    const mark = found?.[1] ?? found?.[2] ?? found?.[3];
    if (found === null || mark === undefined) break;
    value ??= mark;
    rest = rest.slice(found[0].length);
  }
  // `...` alone stands for more of the same
  const more = /^ ?(?:\.\.\.)(?=\s|,|$)/.exec(rest);
  if (more) rest = rest.slice(more[0].length);
  return value === undefined ? { rest } : { value, rest };
}

const leftOut: ReadonlySet<string> = new Set(['help', 'version']);

/** The flags that a row and its text declare; names that the schema cannot say are left out. */
export function flagsOf(row: OptionRow, text: string): readonly SpecFlag[] {
  const mark =
    row.value
      ?.replace(/^\[?=?/, '')
      .replace(/\]$/, '')
      .replaceAll(/[<>"']/g, '') ?? '';
  const choices = choicesOf(mark, text);
  // Some libraries write the type at the end of the text.
  const told = /\[(string|number|array)\]/.exec(text)?.[1];
  const none = choices === undefined && told === undefined;
  const type =
    row.value === undefined && none ? 'boolean' : typeOf(row.value === undefined ? (told ?? '') : mark, choices);
  const fallback = defaultOf(text, type, choices);
  return row.longs
    .filter(({ name }) => /^[a-z][a-z0-9-]*$/.test(name) && !leftOut.has(name))
    .map(({ name, negatable }) => ({
      name,
      ...(row.short !== undefined && /^[a-z]$/.test(row.short) ? { short: row.short } : {}),
      description: text.slice(0, 500).trim() || name.replaceAll('-', ' '),
      required: false,
      type: negatable && row.value === undefined ? 'boolean' : type,
      default: fallback,
      enum: choices,
    }));
}

function typeOf(mark: string, choices: readonly string[] | undefined): ValueType {
  if (choices !== undefined) return 'string';
  if (/^(?:n|num|number|int|ints|uint|u?int\d+|float|float\d+|count|integer)$/i.test(mark)) return 'number';
  if (/^(?:file|path|dir|directory|folder|filename|pathname)$/i.test(mark)) return 'path';
  return /^(?:boolean|(?:true|false):?)$/.test(mark) ? 'boolean' : 'string';
}

const word = /^[\w.+:/@-]{1,60}$/;

function choicesOf(mark: string, text: string): readonly string[] | undefined {
  const inMark = /^\{([^}]*)\}?$/.exec(mark)?.[1] ?? (/^[a-z0-9-]+(?:\|[a-z0-9-]+)+$/.test(mark) ? mark : undefined);
  const inText = /[([](?:choices|possible values|allowed values|one of)\s*:\s*([^\])]*)[\])]/i.exec(text)?.[1];
  const list = inMark ?? inText;
  if (list === undefined) return undefined;
  const words = list.split(/[,|]/).map((part) => part.trim().replaceAll(/^["'`]|["'`]$/g, ''));
  const known = [...new Set(words.filter((part) => word.test(part)))];
  return known.length >= 2 && known.length === new Set(words).size ? known : undefined;
}

function defaultOf(text: string, type: ValueType, choices: readonly string[] | undefined): unknown {
  const raw = /[([]default(?:s to|:| is|=)?\s*["'`]?([^\])"'`]{1,100})["'`]?[\])]/i
    .exec(text)?.[1]
    ?.split(', ')[0]
    ?.trim();
  if (raw === undefined || raw === '') return undefined;
  if (type === 'boolean')
    return raw === 'true' || raw === 'on' ? true : raw === 'false' || raw === 'off' ? false : undefined;
  if (type === 'number') return /^-?\d+(?:\.\d+)?$/.test(raw) ? Number(raw) : undefined;
  return choices === undefined || choices.includes(raw) ? raw : undefined;
}
