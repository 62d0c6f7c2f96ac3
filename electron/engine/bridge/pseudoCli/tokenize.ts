import { maxJsonDepth, parseJson } from '../../base/boundedJson.ts';

/** One value as it was written. */
export interface Value {
  readonly text: string;
  /** At least one piece stood in quotes: its text is never typed. */
  readonly quoted: boolean;
  /** Set when the token was a JSON object or array that parsed. */
  readonly json?: { readonly value: unknown };
  /** Began like JSON and never ended. */
  readonly openJson?: true;
}

export interface Token extends Value {
  /** Set for `--name` and `--name=value`. */
  readonly flag?: { readonly name: string; readonly value?: Value };
}

export interface Tokens {
  readonly tokens: readonly Token[];
  /** The tokens before the fault are given, so that the module and action can still be looked up. */
  readonly error?: string;
  /** The first operator of a shell that stood outside quotes and JSON. */
  readonly operator?: string;
}

/** The longest command, in characters. */
export const maxCommandLength = 1_000_000;
/** Each value that looks like JSON and never ends costs one scan to the end of the text. */
const maxOpenJson = 100;

const flagName = /^[A-Za-z][A-Za-z0-9_.-]*$/;

/** What a shell would act on. A single `&` inside a word is a part of it, as in an address. */
const shellOperator = />>|>|<<?<?|&&|\|[|&]?|;;?|&(?=\s|$)/y;

/** Splits a command by the quoting rules of the pseudo CLI; it never throws. */
export function tokenize(text: string): Tokens {
  if (text.length > maxCommandLength)
    return { tokens: [], error: `The command is longer than ${maxCommandLength} characters` };
  const tokens: Token[] = [];
  const reader = new Reader(text);
  reader.at = skip(text, 0, true);
  while (reader.at < text.length) {
    const token = reader.token();
    if (reader.error !== undefined) return { tokens, error: reader.error };
    tokens.push(token);
    reader.at = skip(text, reader.at, false);
    if (text[reader.at] !== '\n') continue;
    // A second line's flags would silently override the first's, so it is refused.
    if (text.slice(reader.at).trim() !== '')
      return { tokens, error: 'Only one command per call: a line break ended it' };
    break;
  }
  return { tokens, operator: reader.operator };
}

/** Words that came as separate arguments: each counts as quoted, except that one starting with `--` is still a flag. */
export function tokensOfArguments(words: readonly string[]): Tokens {
  const length = words.reduce((sum, word) => sum + word.length, 0);
  if (length > maxCommandLength)
    return { tokens: [], error: `The command is longer than ${maxCommandLength} characters` };
  return { tokens: words.map((text) => ({ text, quoted: true, ...flagOfArgument(text) })) };
}

function flagOfArgument(text: string): Pick<Token, 'flag'> {
  if (!text.startsWith('--')) return {};
  const cut = text.indexOf('=');
  const name = text.slice(2, cut < 0 ? undefined : cut);
  if (!flagName.test(name)) return {};
  return { flag: cut < 0 ? { name } : { name, value: { text: text.slice(cut + 1), quoted: true } } };
}

function isFlagText(text: string): boolean {
  return text.startsWith('--') && flagName.test(text.slice(2));
}

function isBlank(char: string | undefined): boolean {
  return char === ' ' || char === '\t' || char === '\r' || char === '\n';
}

function skip(text: string, from: number, lineBreaks: boolean): number {
  let at = from;
  while (at < text.length && isBlank(text[at]) && (lineBreaks || text[at] !== '\n')) at += 1;
  return at;
}

class Reader {
  readonly text: string;
  at = 0;
  error: string | undefined;
  operator: string | undefined;
  #openJson = 0;

  constructor(text: string) {
    this.text = text;
  }

  token(): Token {
    return this.#startsJson() ? this.#json() : this.#word(true);
  }

  #startsJson(): boolean {
    return this.text[this.at] === '{' || this.text[this.at] === '[';
  }

  #word(mayBeFlag: boolean): Token {
    const start = this.at;
    const startsQuoted = this.text[start] === '"' || this.text[start] === "'";
    let text = '';
    let quoted = false;
    let sawEquals = false;
    while (this.at < this.text.length) {
      const char = this.text[this.at] ?? '';
      if (isBlank(char)) break;
      if (char === '"' || char === "'") {
        quoted = true;
        text += this.#quoted(char);
        continue;
      }
      if (';|&<>'.includes(char)) this.operator ??= this.#operator();
      this.at += 1;
      if (char === '=' && mayBeFlag && !sawEquals && !startsQuoted && isFlagText(text)) {
        const value = this.#startsJson() ? this.#json() : this.#word(false);
        return { text: this.text.slice(start, this.at), quoted, flag: { name: text.slice(2), value } };
      }
      sawEquals ||= char === '=';
      text += char;
    }
    const isFlag = mayBeFlag && !startsQuoted && isFlagText(text);
    return isFlag ? { text, quoted, flag: { name: text.slice(2) } } : { text, quoted };
  }

  #operator(): string | undefined {
    shellOperator.lastIndex = this.at;
    return shellOperator.exec(this.text)?.[0];
  }

  /** Inside quotes `\\`, `\"` and `\'` give the second character; any other backslash stays. */
  #quoted(quote: string): string {
    const opened = this.at;
    let text = '';
    let from = opened + 1;
    for (let at = from; at < this.text.length; at += 1) {
      const char = this.text[at];
      if (char === quote) {
        this.at = at + 1;
        return text + this.text.slice(from, at);
      }
      const next = this.text[at + 1];
      if (char === '\\' && (next === '\\' || next === '"' || next === "'")) {
        text += this.text.slice(from, at) + next;
        at += 1;
        from = at + 1;
      }
    }
    this.at = this.text.length;
    this.error ??= `The quote ${quote} opened at column ${opened + 1} is never closed`;
    return '';
  }

  #json(): Value {
    const start = this.at;
    const end = this.#endOfJson();
    if (end < 0) {
      // Not closed: its bounds are those of a plain word, its text is kept as it was written.
      this.#openJson += 1;
      if (this.#openJson > maxOpenJson) this.error ??= `More than ${maxOpenJson} unterminated JSON values`;
      if (this.error === undefined) this.#word(false);
      return { text: this.text.slice(start, this.at), quoted: false, openJson: true };
    }
    this.at = end;
    while (this.at < this.text.length && !isBlank(this.text[this.at])) this.at += 1;
    const text = this.text.slice(start, this.at);
    if (this.at > end) return { text, quoted: false };
    const parsed = parseJson(text);
    return parsed.ok ? { text, quoted: false, json: { value: parsed.value } } : { text, quoted: false };
  }

  /** Behind the bracket that closes the first one; -1 when the text ends before it. */
  #endOfJson(): number {
    let depth = 0;
    let inString = false;
    for (let at = this.at; at < this.text.length; at += 1) {
      const char = this.text[at];
      if (inString) {
        if (char === '\\') at += 1;
        else if (char === '"') inString = false;
      } else if (char === '"') inString = true;
      else if (char === '{' || char === '[') {
        depth += 1;
        if (depth > maxJsonDepth) {
          this.error ??= `The JSON value at column ${this.at + 1} is nested deeper than ${maxJsonDepth}`;
          return -1;
        }
      } else if (char === '}' || char === ']') {
        depth -= 1;
        if (depth === 0) return at + 1;
      }
    }
    return -1;
  }
}
