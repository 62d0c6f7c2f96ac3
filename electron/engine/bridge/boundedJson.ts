export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

/** The deepest nesting of a JSON value from outside. */
export const maxJsonDepth = 200;

/** `JSON.parse` as a value, with a bound on the depth: deeper values would overflow the stack of whoever walks them. */
export function parseJson(text: string): ParsedJson {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    if (depth > maxJsonDepth) return { ok: false, message: `nested deeper than ${maxJsonDepth}` };
  }
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
