/** A part of a form of the command, as `git add [-n] [--chmod=(+|-)x] [--] [<path>...]` is made of them. */
export type UsagePart =
  | { readonly kind: 'word'; readonly text: string; readonly repeated: boolean }
  | {
      readonly kind: 'option';
      readonly names: readonly string[];
      /** The mark of the value: `<path>`, `=SIZE`, `[=WHEN]`. */
      readonly value?: string;
      readonly repeated: boolean;
    }
  | { readonly kind: 'dashes' }
  | {
      readonly kind: 'group';
      readonly bracket: '[' | '(' | '{';
      readonly alternatives: readonly (readonly UsagePart[])[];
      readonly repeated: boolean;
    };

const closing: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}', '<': '>' };
const maxChars = 4_000;
/** Deeper brackets are read as one word. */
const maxDepth = 12;

/** Reads one form of a command, without the program's own words. */
export function parseUsage(form: string, depth = 0): readonly UsagePart[] {
  const parts: UsagePart[] = [];
  for (const token of split(form.slice(0, maxChars), /\s/)) {
    const last = parts.at(-1);
    if (/^(?:\.\.\.|\u2026)$/.test(token)) {
      if (last !== undefined && last.kind !== 'dashes') parts.splice(-1, 1, { ...last, repeated: true });
    } else parts.push(partOf(token, depth));
  }
  return withValues(parts, depth > 0);
}

function partOf(token: string, depth: number): UsagePart {
  const repeated = /(?:\.\.\.|\u2026),?$/.test(token);
  const text = token.replace(/(?:\.\.\.|\u2026)?,?$/, '');
  if (text === '--') return { kind: 'dashes' };
  const [first = ''] = text;
  if ((first === '[' || first === '(' || first === '{') && closes(text) && depth < maxDepth) {
    const inner = text.slice(1, -1).trim();
    const choices = split(inner, first === '{' ? /[|,]/ : /\|/);
    // `[-m|--merge <name>]`: names of one option stand between the bars, not whole alternatives.
    const isNames =
      choices.length > 1 && choices.slice(0, -1).every((one) => /^--?[\w-]+$/.test(one)) && !/\s\|/.test(inner);
    const hasValue = isNames && /^--?[\w-]+(?:\s|=|\[=)/.test(choices.at(-1) ?? '');
    const alternatives = hasValue ? [inner] : choices;
    return {
      kind: 'group',
      bracket: first,
      alternatives: alternatives.map((one) => parseUsage(one, depth + 1)),
      repeated,
    };
  }
  if (text.startsWith('-') || text.startsWith('(-')) return optionOf(text, repeated);
  const choices = split(text, /\|/);
  if (choices.length > 1 && !choices.some((one) => one.startsWith('-') && one !== '-'))
    return {
      kind: 'group',
      bracket: '(',
      alternatives: choices.map((one) => [{ kind: 'word', text: one, repeated: false }]),
      repeated,
    };
  return { kind: 'word', text, repeated };
}

function optionOf(text: string, repeated: boolean): UsagePart {
  const names: string[] = [];
  let rest = text;
  let value: string | undefined;
  for (let name = optionName.exec(rest); name !== null; name = optionName.exec(rest)) {
    names.push(name[0]);
    rest = rest.slice(name[0].length);
    const next = /\|(?=-)/.exec(rest);
    const end = next?.index ?? rest.length;
    if (end > 0) value ??= rest.slice(0, end);
    rest = rest.slice(end + 1);
  }
  return { kind: 'option', names, value, repeated };
}

const optionName = /^--?(?:\[no-?\]|\(no-?\))?[A-Za-z0-9?@#][\w.-]*/;

/** `-f FILE`: the word behind an option is its value; in brackets of an option's own, any word is. */
function withValues(parts: readonly UsagePart[], inBrackets: boolean): readonly UsagePart[] {
  const out: UsagePart[] = [];
  const own = inBrackets && parts[0]?.kind === 'option';
  for (const part of parts) {
    const last = out.at(-1);
    if (last?.kind === 'option' && last.value === undefined && part.kind === 'word' && (own || isMarked(part.text)))
      out.splice(-1, 1, { ...last, value: ` ${part.text}`, repeated: last.repeated || part.repeated });
    else if (own && last?.kind === 'option' && part.kind === 'group') {
      // `[--tag <name> [--tag <name> ...]]`, `[--foo [BAR]]`
      const [inner = []] = part.alternatives;
      const again = inner[0]?.kind === 'option' && inner.some((one) => 'repeated' in one && one.repeated);
      const words = inner.every((one) => one.kind === 'word');
      const value = last.value ?? (words && part.bracket === '[' ? ' [V]' : words ? ' V' : undefined);
      out.splice(-1, 1, { ...last, value, repeated: last.repeated || again });
    } else if (own && last?.kind === 'option' && last.value !== undefined && part.kind === 'word')
      out.splice(-1, 1, { ...last, value: `${last.value} ${part.text}` });
    else out.push(part);
  }
  return out;
}

/** `<name>` or `NAME`: a word that stands for another. */
export function isMarked(text: string): boolean {
  return text.includes('<') || (/^[^a-z]+$/.test(text.replaceAll(/\[[^\]]*\]/g, '')) && /[A-Z]/.test(text));
}

/** Whether the bracket that a text begins with ends where the text ends. */
function closes(text: string): boolean {
  const stack: string[] = [];
  for (const [i, char] of [...text].entries()) {
    const close = closing[char];
    if (close !== undefined) stack.push(close);
    else if (char === stack.at(-1)) stack.pop();
    if (stack.length === 0) return i === [...text].length - 1;
  }
  return false;
}

/** Cuts at a separator outside of brackets. */
function split(text: string, separator: RegExp): readonly string[] {
  const out: string[] = [];
  const stack: string[] = [];
  let word = '';
  for (const char of text) {
    if (stack.length === 0 && separator.test(char)) {
      if (word.trim() !== '') out.push(word.trim());
      word = '';
      continue;
    }
    const close = closing[char];
    if (close !== undefined) stack.push(close);
    else if (char === stack.at(-1)) stack.pop();
    word += char;
  }
  return word.trim() === '' ? out : [...out, word.trim()];
}
