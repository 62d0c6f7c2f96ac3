import type { TextCall } from './reply.ts';

/** Deeper literals than this are no arguments of a tool. */
const maxDepth = 32;

/**
 * A list of calls in the manner of Llama 4: `[get_weather(city='Paris', days=3), search(query="x")]`, only keyword
 * arguments, only literals. `end` is the index behind the list; undefined when it is anything else (an index, a link,
 * a list of values, code): prose is full of brackets.
 */
export function readPythonic(
  text: string,
  from: number,
): { readonly calls: readonly TextCall[]; readonly end: number } | undefined {
  const reader = new LiteralReader(text, from);
  try {
    const calls = reader.calls();
    return { calls, end: reader.at };
  } catch (error) {
    if (error instanceof NoLiteral) return undefined;
    throw error;
  }
}

/**
 * Calls in the manner of Python, one behind the other without brackets, up to anything else (Olmo); undefined when the
 * first thing is no call.
 */
export function readPythonLines(
  text: string,
  from: number,
): { readonly calls: readonly TextCall[]; readonly end: number } | undefined {
  const calls: TextCall[] = [];
  let end = from;
  for (;;) {
    const reader = new LiteralReader(text, end);
    try {
      calls.push(reader.call());
      end = reader.at;
    } catch (error) {
      if (error instanceof NoLiteral) return calls.length === 0 ? undefined : { calls, end };
      throw error;
    }
  }
}

class NoLiteral extends Error {}

class LiteralReader {
  at: number;
  readonly #text: string;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  calls(): readonly TextCall[] {
    this.#expect('[');
    const calls: TextCall[] = [];
    do calls.push(this.call());
    while (this.#take(','));
    this.#expect(']');
    return calls;
  }

  call(): TextCall {
    const tool = this.#match(/[A-Za-z_][\w.-]*/y);
    this.#expect('(');
    return { tool, arguments: this.#keywords() };
  }

  #keywords(): Readonly<Record<string, unknown>> {
    const given: [string, unknown][] = [];
    if (this.#take(')')) return {};
    do {
      const name = this.#match(/[A-Za-z_]\w*/y);
      this.#expect('=');
      given.push([name, this.#value(0)]);
    } while (this.#take(','));
    this.#expect(')');
    return Object.fromEntries(given);
  }

  #value(depth: number): unknown {
    if (depth > maxDepth) throw new NoLiteral();
    this.#blank();
    const first = this.#text[this.at];
    if (first === '"' || first === "'") return this.#string(first);
    if (this.#take('[')) return this.#list(']', depth);
    if (this.#take('(')) return this.#list(')', depth);
    if (this.#take('{')) return this.#object(depth);
    const word = this.#match(/[A-Za-z]+|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
    if (/^[-\d]/.test(word)) {
      if (Number.isFinite(Number(word))) return Number(word);
      throw new NoLiteral(); // 1e999: JSON has no such number
    }
    if (word === 'True' || word === 'true') return true;
    if (word === 'False' || word === 'false') return false;
    if (word === 'None' || word === 'null') return null;
    throw new NoLiteral();
  }

  #list(close: string, depth: number): readonly unknown[] {
    const items: unknown[] = [];
    if (this.#take(close)) return items;
    do items.push(this.#value(depth + 1));
    while (this.#take(','));
    this.#expect(close);
    return items;
  }

  #object(depth: number): unknown {
    const entries: [string, unknown][] = [];
    if (this.#take('}')) return {};
    do {
      const key = this.#value(depth + 1);
      if (entries.length === 0 && !this.#take(':')) return this.#set(key, depth);
      if (typeof key !== 'string') throw new NoLiteral();
      if (entries.length > 0) this.#expect(':');
      entries.push([key, this.#value(depth + 1)]);
    } while (this.#take(','));
    this.#expect('}');
    return Object.fromEntries(entries);
  }

  /** A set becomes a list: JSON has none. */
  #set(first: unknown, depth: number): readonly unknown[] {
    const items = [first];
    while (this.#take(',')) items.push(this.#value(depth + 1));
    this.#expect('}');
    return items;
  }

  #string(quote: string): string {
    const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\n': '' };
    let value = '';
    for (this.at += 1; this.at < this.#text.length; this.at += 1) {
      const character = this.#text[this.at] ?? '';
      if (character === quote) {
        this.at += 1;
        return value;
      }
      if (character !== '\\') value += character;
      else {
        this.at += 1;
        const next = this.#text[this.at] ?? '';
        if (/[xuUN0-7]/.test(next)) throw new NoLiteral(); // rather not understood than misread
        value += escapes[next] ?? (/[\\'"]/.test(next) ? next : `\\${next}`);
      }
    }
    throw new NoLiteral();
  }

  #match(pattern: RegExp): string {
    this.#blank();
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) throw new NoLiteral();
    this.at += found.length;
    return found;
  }

  #take(character: string): boolean {
    this.#blank();
    if (this.#text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  #expect(character: string): void {
    if (!this.#take(character)) throw new NoLiteral();
  }

  #blank(): void {
    while (' \t\r\n'.includes(this.#text[this.at] ?? 'x')) this.at += 1;
  }
}
