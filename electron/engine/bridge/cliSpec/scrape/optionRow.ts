import type { SpecFlag, ValueType } from '../specTypes.ts';

/** One row of options, before it becomes flags. */
export interface OptionRow {
  readonly longs: readonly { readonly name: string; readonly negatable: boolean }[];
  readonly short?: string;
  /** The mark of the value, with its brackets; undefined for a flag that takes none. */
  readonly value?: string;
  /** The value is joined to the name: `--flag=V`, `--flag[=V]`. */
  readonly equals?: boolean;
  /** The value may be left out: `--flag[=V]`, `--flag [V]`. */
  readonly optional?: boolean;
  /** May be given more than once. */
  readonly repeated?: boolean;
  /** More than one value stands behind the name: `--arg NAME VALUE`. */
  readonly values?: number;
  readonly text: string;
  /** Blanks between the names and the text; 0 when there is no text on the line. */
  readonly gap: number;
}

const longName = /^--(\[no-?\]|\(no-?\))?([A-Za-z0-9][A-Za-z0-9_.+-]*)/;
const shortName = /^-([^\sA-Za-z0-9<-]|[A-Za-z0-9])(?![A-Za-z0-9_-])/;
/** One dash and several letters, or a placeholder: v1 of the schema has no such flags, but a long form may follow. */
const oldName = /^-(?:[A-Za-z0-9][A-Za-z0-9_.+-]*|<[^>]*>)/;
const joint = /^(?: *, *| *\| *| *\/ *| +or +| - (?=--)| +\.{3,} +(?=--)| )(?=-\S)/;
/** Over a wide gap only where nothing but names follows: a text may begin with an option that it speaks of. */
const wideJoint = /^ {2,6}(?=--[a-z[(])|^ {2,}(?=--[a-z][^\s,]*(?:, --[a-z][^\s,]*)*$)/;

/** A value goes on over brackets, and over a comma that no blank and no option follows. */
const piece = String.raw`(?:<[^>]*>|\{[^}]*\}|"[^"]*"|'[^']*'|\[[^\]\s]*\]|[^\s,]|,(?=[^\s-]))`;
const boundValue = new RegExp(`^(=${piece}*|\\[=?(?:<[^>]*>|[^\\s])*)`);
const bracketValue = new RegExp(
  `^ ?(?=[<{"[(])(?!\\[-|\\([a-z])(<[^>]*>${piece}*|\\{[^}]*\\}|\\[\\[?[^\\]]*\\][^\\s,]*|"[^"]*"|\\("[^"]*"\\))`,
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

/** What stands behind a name: marks of values, and how they are joined to it. */
interface Taken {
  readonly value?: string;
  readonly equals: boolean;
  readonly optional: boolean;
  readonly repeated: boolean;
  /** Marks that stand apart; more than one where a flag takes several values. */
  readonly count: number;
  readonly rest: string;
}

/**
 * Reads a line that begins with a dash as a row of options; undefined when it is something else. `goFlags`: one dash means
 * what two do, as in the help of Go's own package.
 */
export function parseOptionRow(line: string, goFlags = false): OptionRow | undefined {
  const longs: { name: string; negatable: boolean }[] = [];
  let short: string | undefined;
  const taken: Taken[] = [];
  let isBare = false;
  // `[--name=V]` is how Thor writes an option that need not be given.
  const plain = /^(?:-\w, )?\[--/.test(line) ? line.replaceAll(/\[(--[^\]\s]*)\]/g, '$1') : line;
  let rest = (goFlags ? plain.replace(/^-(?=[A-Za-z0-9])/, '--') : plain).replace(/,$/, '');
  for (let count = 0; count < 12; count += 1) {
    const long = longName.exec(rest);
    const one = long ? null : shortName.exec(rest);
    const name = long ?? one ?? oldName.exec(rest);
    if (name === null) return undefined;
    if (long?.[2] !== undefined) addLong(longs, long[2], long[1] !== undefined);
    else if (one?.[1] !== undefined) short ??= one[1];
    const found = takeValue(rest.slice(name[0].length));
    const isMany = long?.[2]?.endsWith('...') === true; // `--verbose...`
    taken.push({ ...found, equals: found.equals && long !== null, repeated: found.repeated || isMany });
    rest = found.rest;
    const next = joint.exec(rest) ?? (longs.length === 0 ? wideJoint.exec(rest) : null);
    if (next === null) break;
    rest = rest.slice(next[0].length);
    isBare = next[0] === ' ';
  }
  const [, space = '', text = ''] = /^(\s*)(?:[:=#\u2013\u2014]\s+|-\s+)?(.*)$/.exec(rest) ?? [];
  const marked = /^\s*(?:[:=\u2013\u2014]|-)\s/.test(rest);
  if (rest !== '' && space === '' && !marked) return undefined; // the name runs on into something else
  const gap = text === '' ? 0 : marked ? 2 : space.length;
  if (gap === 1 && /^(?:is|are|was|were|can|may|will|implies)\b/.test(text)) return undefined; // a sentence about it
  // Cobra takes a value's name from the text's backquotes: `--interval --watch   interval when using --watch flag`.
  const [first, second] = longs;
  const isMark = isBare && longs.length === 2 && text.includes(`--${second?.name} `);
  if (isMark && first) longs.splice(1);
  const values = Math.max(...taken.map((one) => one.count));
  return {
    longs,
    short,
    value: taken.find(({ value }) => value !== undefined)?.value ?? (isMark ? '<value>' : undefined),
    equals: taken.some(({ equals }) => equals),
    optional: taken.some(({ optional }) => optional),
    repeated: taken.some(({ repeated }) => repeated),
    values: values > 1 && gap !== 1 ? values : undefined,
    text,
    gap,
  };
}

function takeValue(text: string): Taken {
  const none = { equals: false, optional: false, repeated: false, count: 0 };
  const typed = /^ \((string|integer|float|list|map|boolean)\)(?= |$)/.exec(text);
  if (typed?.[1] !== undefined) {
    const rest = text.slice(typed[0].length);
    if (typed[1] === 'boolean') return { ...none, rest };
    return { ...none, value: typed[1], repeated: isListType(typed[1]), count: 1, rest };
  }
  let rest = text;
  const marks: string[] = [];
  let repeated = false;
  for (let count = 0; count < 6; count += 1) {
    const found =
      (count === 0 ? boundValue.exec(rest) : null) ??
      bracketValue.exec(rest) ??
      capitalValue.exec(rest) ??
      (count === 0 ? (typeValue.exec(rest) ?? wordValue.exec(rest)) : null);
    const mark = found?.[1] ?? found?.[2] ?? found?.[3];
    if (found === null || mark === undefined) break;
    marks.push(mark);
    rest = rest.slice(found[0].length);
  }
  // `...` alone stands for more of the same
  const more = /^ ?(?:\.\.\.)(?=\s|,|$)/.exec(rest);
  if (more) rest = rest.slice(more[0].length);
  const [value] = marks;
  repeated = more !== null || (value !== undefined && (isListType(value) || /\S\.\.\.[>\]]?$/.test(value)));
  if (value === undefined) return { ...none, repeated, rest };
  // `a v`; `<FLOAT FLOAT>...` and `INTEGER RANGE` are how click writes two values and a bounded one.
  const words = marks.flatMap((mark) => (/^[a-z](?: [a-z])+$|^<[A-Z]+ [A-Z]+>/.test(mark) ? mark.split(' ') : [mark]));
  return {
    value,
    equals: /^(?:=|\[=)/.test(value),
    optional: value.startsWith('[=') || /^\[[A-Za-z][\w-]*\]$/.test(value),
    repeated,
    count: words.filter((mark) => !mark.startsWith('[') && mark !== 'RANGE').length,
    rest,
  };
}

/** Types of Go's pflag, and the empty lists that kubectl prints. */
function isListType(mark: string): boolean {
  return /^(?:strings|ints|list|map|string(?:Array|Slice|ToString)|=\[\]:?)$/.test(mark);
}

const leftOut: ReadonlySet<string> = new Set(['help', 'version']);

/** Phrases in which help texts say that a flag may be given again. */
const again =
  /\b(?:can|may|could|might) be (?:used|specified|given|repeated|passed|provided|set|supplied|applied|invoked)\b[^.;]{0,30}\b(?:multiple|several|many|more than once|repeatedly)\b|\b(?:can|may) be repeated\b|\brepeatable\b|\[(?:array|multiple)\]|\bmultiple (?:times|occurrences|uses|flags)\b|\bmore than once\b/i;

/** The flags that a row and its text declare; names that the schema cannot say are left out. */
export function flagsOf(row: OptionRow, text: string): readonly SpecFlag[] {
  const printed = row.equals === true ? printedDefault(row.value ?? '') : undefined;
  const mark =
    row.value
      ?.replace(/^\[?=?/, '')
      .replace(/(?:\.\.\.)?\]?(?:\.\.\.)?$/, '')
      .replaceAll(/[<>"']|\.\.\./g, '') ?? '';
  const choices = choicesOf(mark, text);
  // Some libraries write the type at the end of the text.
  const told = /\[(string|number|array)\]/.exec(text)?.[1];
  const none = choices === undefined && told === undefined;
  const type =
    printed?.type ??
    (row.value === undefined && none ? 'boolean' : typeOf(row.value === undefined ? (told ?? '') : mark, choices));
  const fallback = printed === undefined ? defaultOf(text, type, choices) : printed.value;
  const repeated = row.repeated === true || again.test(text);
  const isShort = row.longs.length === 0;
  return (isShort ? shortAlone(row, text) : row.longs)
    .filter(({ name }) => /^[a-z][a-z0-9-]*$/.test(name) && !leftOut.has(name))
    .map(({ name, negatable }): SpecFlag => {
      const isSwitch = type === 'boolean' || (negatable && row.value === undefined);
      return {
        name,
        ...(isShort ? { dashes: 1 } : row.short !== undefined && /^[a-z]$/.test(row.short) ? { short: row.short } : {}),
        description: text.slice(0, 500).trim() || name.replaceAll('-', ' '),
        required: /[[(; ]required[\])]/i.test(text) && fallback === undefined,
        type: isSwitch ? 'boolean' : type,
        default: fallback,
        enum: choices,
        ...(repeated && (!isSwitch || row.repeated === true) ? { repeated } : {}),
        ...(row.equals === true && (!isSwitch || printed?.value === true) ? { separator: 'equals' } : {}),
        ...(row.optional === true && row.equals === true && !isSwitch ? { valueOptional: true } : {}),
        ...(row.values !== undefined && !isSwitch ? { values: row.values, repeated: true } : {}),
        ...(negatable ? { negatable } : {}),
      };
    });
}

/** `-n NUM  text`: a letter is the whole name. Those without a text of their own are only named by a form. */
function shortAlone({ short = '' }: OptionRow, text: string): OptionRow['longs'] {
  const isAsked = /^[hv]$/.test(short) && /\b(?:help|usage|version)\b/i.test(text);
  return short === '' || text === '' || isAsked ? [] : [{ name: short, negatable: false }];
}

/** `--port=-1:` and `--all=false:` print the default where others print a mark, and tell the type by it. */
function printedDefault(value: string): { readonly type: ValueType; readonly value: unknown } | undefined {
  const raw = /^=(.*):$/.exec(value)?.[1];
  if (raw === undefined) return undefined;
  if (raw === 'true' || raw === 'false') return { type: 'boolean', value: raw === 'true' };
  if (/^-?\d+(?:\.\d+)?$/.test(raw)) return { type: 'number', value: Number(raw) };
  const text = raw.replaceAll(/^'|'$/g, '');
  return { type: 'string', value: text === '' || text === '[]' ? undefined : text };
}

function typeOf(mark: string, choices: readonly string[] | undefined): ValueType {
  if (choices !== undefined) return 'string';
  if (/^(?:n|num|number|int|ints|uint|u?int\d+|float|float\d+|count|integer)(?: |$)/i.test(mark)) return 'number';
  if (/^(?:file|path|dir|directory|folder|filename|pathname)$/i.test(mark)) return 'path';
  return /^boolean$/.test(mark) ? 'boolean' : 'string';
}

const word = /^[\w.+:/@-]{1,60}$/;

/** Names of what a value is, which stand between bars where either will do: `<name|id>`. */
const nouns =
  /^(?:id|uid|gid|user|group|dir|directory|folder|url|uri|host|ip|port|n|num|number|count|size|string|text|value|key|type|date|time|data|secs|seconds|bytes|percent|address|addr|range|token|email|pattern|regex|expr|glob|pkg|package|commit|branch|ref|rev|tree|object|remote|repo|tag|label|image|container|version|format|command|cmd|mode|\w*-?(?:name|file|path)|-)$/;

function choicesOf(mark: string, text: string): readonly string[] | undefined {
  const plain = mark.replaceAll(/^\[|\]$|:$/g, '');
  const inMark = /^\{([^}]*)\}?$/.exec(plain)?.[1] ?? (/^[\w.+-]+(?:\|[\w.+-]+)+$/.test(plain) ? plain : undefined);
  const inText =
    /[([](?:choices|possible values|allowed values|one of)\s*:\s*([^\])]*)[\])]/i.exec(text)?.[1] ??
    /\{([\w.+-]+(?:\|[\w.+-]+)+)\}/.exec(text)?.[1] ??
    listed(text);
  const list = inMark ?? inText;
  if (list === undefined) return undefined;
  const words = list.split(/[,|]/).map((part) => part.trim().replaceAll(/^["'`]|["'`]$/g, ''));
  const known = [...new Set(words.filter((part) => word.test(part)))];
  if (known.length < 2 || known.length !== new Set(words).size) return undefined;
  // Capitals and nouns between bars are placeholders.
  const isNames = list.includes('|') && known.some((one) => nouns.test(one) || /^[A-Z][A-Z0-9_-]+$/.test(one));
  return isNames ? undefined : known;
}

/** `Possible values: - auto: by the terminal - never: not at all`, as long helps of clap write them. */
function listed(text: string): string | undefined {
  const [, rows = ''] = /\bpossible values:((?:\s+- [\w.+-]+(?::(?:(?! - ).)*)?)+)/i.exec(text) ?? [];
  const words = [...rows.matchAll(/(?:^|\s)- ([\w.+-]+)/g)].map(([, one]) => one ?? '');
  return words.length < 2 ? undefined : words.join(',');
}

function defaultOf(text: string, type: ValueType, choices: readonly string[] | undefined): unknown {
  const raw = /[([]default(?:s to|:| is|=)?\s*["'`]?([^\])"'`]{1,100})["'`]?[\])]/i
    .exec(text)?.[1]
    ?.split(', ')[0]
    ?.trim();
  // Empty lists and maps of Go are no values.
  if (raw === undefined || raw === '' || /^(?:map)?\[/.test(raw)) return undefined;
  if (type === 'boolean')
    return raw === 'true' || raw === 'on' ? true : raw === 'false' || raw === 'off' ? false : undefined;
  if (type === 'number') return /^-?\d+(?:\.\d+)?$/.test(raw) ? Number(raw) : undefined;
  return choices === undefined || choices.includes(raw) ? raw : undefined;
}
