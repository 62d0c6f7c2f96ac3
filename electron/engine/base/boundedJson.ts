export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

/** The deepest nesting of a JSON value from outside. */
export const maxJsonDepth = 200;

/** `JSON.parse` as a value, with a bound on the depth: deeper values would overflow the stack of whoever walks them. */
export function parseJson(text: string): ParsedJson {
  if (isTooDeep(text)) return { ok: false, message: `nested deeper than ${maxJsonDepth}` };
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

/** Whether a JSON text opens more brackets inside one another than the bound. One pass, nothing is built. */
export function isTooDeep(text: string): boolean {
  if (text.length <= 2 * maxJsonDepth) return false; // each level takes an opening and a closing bracket
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (inString) {
      if (char === 92) at += 1;
      else if (char === 34) inString = false;
    } else if (char === 34) inString = true;
    else if (char === 123 || char === 91) depth += 1;
    else if (char === 125 || char === 93) depth -= 1;
    if (depth > maxJsonDepth) return true;
  }
  return false;
}
