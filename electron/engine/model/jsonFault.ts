/** Where and why a text is not JSON. */
export interface JsonFault {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly why: string;
}

const token =
  /\s*(?:([{}[\],:])|("(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])|($))/y;

/**
 * Finds the first fault of a text that `JSON.parse` refused: its own message often has no position. What may come next is
 * a state and a stack of open brackets; no recursion, one pass. Undefined for valid JSON.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  const open: ('{' | '[')[] = [];
  let expected: 'value' | 'firstValue' | 'key' | 'firstKey' | 'colon' | 'commaOrEnd' | 'nothing' = 'value';
  let at = 0;
  for (;;) {
    token.lastIndex = at;
    const found = token.exec(text);
    const start = at + (/\s*/y.exec(text.slice(at))?.[0].length ?? 0);
    if (!found)
      return place(
        text,
        start,
        text[start] === '"'
          ? 'this text does not end or holds a raw control character'
          : `unexpected ${JSON.stringify(text[start])}`,
      );
    at = token.lastIndex;
    const [, mark, string, literal, end] = found;
    const unexpected =
      end === undefined
        ? place(text, start, `unexpected ${mark ?? string?.slice(0, 20) ?? literal}`)
        : place(text, start, 'the text ends too early');
    if (end !== undefined) return expected === 'nothing' ? undefined : unexpected;
    if (expected === 'nothing') return unexpected;
    if (expected === 'colon') {
      if (mark !== ':') return unexpected;
      expected = 'value';
    } else if (expected === 'key' || expected === 'firstKey') {
      if (string !== undefined) expected = 'colon';
      else if (mark === '}' && expected === 'firstKey') expected = close();
      else return unexpected;
    } else if (expected === 'commaOrEnd') {
      const inside = open.at(-1);
      if (mark === ',') expected = inside === '{' ? 'key' : 'value';
      else if ((mark === '}' && inside === '{') || (mark === ']' && inside === '[')) expected = close();
      else return unexpected;
    } else if (mark === '{' || mark === '[') {
      open.push(mark);
      expected = mark === '{' ? 'firstKey' : 'firstValue';
    } else if (mark === ']' && expected === 'firstValue') expected = close();
    else if (mark !== undefined) return unexpected;
    else expected = open.length > 0 ? 'commaOrEnd' : 'nothing';
  }

  function close(): 'commaOrEnd' | 'nothing' {
    open.pop();
    return open.length > 0 ? 'commaOrEnd' : 'nothing';
  }
}

function place(text: string, at: number, why: string): JsonFault {
  const before = text.slice(0, at);
  return { line: before.split('\n').length, column: before.length - before.lastIndexOf('\n'), why };
}
