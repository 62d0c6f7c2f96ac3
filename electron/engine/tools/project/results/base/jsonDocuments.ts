/** Starts that are tried: other braces of a text must not cost a parse each. */
const maxTries = 20;

/**
 * The JSON objects and lists of a text that begin at the start of a line, with whatever a package manager wrote around them.
 * One that is cut is left out.
 */
export function jsonDocuments(text: string): readonly unknown[] {
  const found: unknown[] = [];
  const starts = /^[ \t]*(?=[[{])/gm;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const start = starts.exec(text);
    if (!start) break;
    const from = start.index + start[0].length;
    const end = endOf(text, from);
    if (end === -1) {
      starts.lastIndex = Math.max(from, starts.lastIndex) + 1;
      continue;
    }
    try {
      found.push(JSON.parse(text.slice(from, end)));
      starts.lastIndex = end;
    } catch {
      starts.lastIndex = from + 1;
    }
  }
  return found;
}

/** After the bracket that closes the one at `from`; -1 where it is missing. */
function endOf(text: string, from: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (quoted) {
      if (char === '\\') at += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/** Lines that are JSON objects, as event streams print them. */
export function* jsonLines(text: string): Generator<unknown> {
  for (const line of text.split('\n')) {
    if (!line.startsWith('{')) continue;
    try {
      yield JSON.parse(line);
    } catch {
      // A line that only begins like one, or the last of a cut text.
    }
  }
}
