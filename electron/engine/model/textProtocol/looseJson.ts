export type LooseJson =
  | { readonly ok: true; readonly value: unknown; readonly repairs: readonly string[] }
  | { readonly ok: false; readonly why: string };

/**
 * JSON as models write it. Raw control characters inside strings and a BOM are always repaired, a single trailing comma
 * only when `tolerant`. What is cut off or otherwise broken stays broken. Linear in the length of the text.
 */
export function parseLoose(text: string, tolerant: boolean): LooseJson {
  const repairs: string[] = [];
  let body = text.trim();
  if (text.includes('\uFEFF') && /^\s*\uFEFF/.test(text)) repairs.push('bom'); // trim() has removed it: it counts as white space
  const first = parse(body);
  if (first.ok) return { ok: true, value: first.value, repairs };

  const escaped = escapeControls(body);
  if (escaped !== body) {
    body = escaped;
    const value = parse(body);
    if (value.ok) return { ok: true, value: value.value, repairs: [...repairs, 'control_characters'] };
    repairs.push('control_characters');
  }
  if (tolerant) {
    const dropped = dropTrailingCommas(body);
    if (dropped !== body) {
      const value = parse(dropped);
      if (value.ok) return { ok: true, value: value.value, repairs: [...repairs, 'trailing_comma'] };
    }
  }
  return { ok: false, why: first.why };
}

function parse(
  text: string,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string } {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
}

/** Writes raw control characters inside strings as escapes; outside strings they are white space or an error anyway. */
function escapeControls(text: string): string {
  let out = '';
  let from = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 34) inString = !inString;
    else if (code === 92 && inString) at += 1;
    else if (code < 32 && inString) {
      out += text.slice(from, at) + JSON.stringify(text[at]).slice(1, -1);
      from = at + 1;
    }
  }
  return from === 0 ? text : out + text.slice(from);
}

/** `,}` and `,]` outside strings lose the comma; two commas in a row are no slip and stay. */
function dropTrailingCommas(text: string): string {
  let out = '';
  let from = 0;
  let inString = false;
  let comma = -1;
  let previous = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 92) at += 1;
      else if (code === 34) inString = false;
      continue;
    }
    if (code <= 32) continue;
    if (code === 34) inString = true;
    if ((code === 125 || code === 93) && comma >= 0) {
      out += text.slice(from, comma);
      from = comma + 1;
    }
    comma = code === 44 && isValueEnd(previous) ? at : -1;
    previous = code;
  }
  return from === 0 ? text : out + text.slice(from);
}

/** A comma can only be a trailing one after a value: not after another comma or an opening bracket. */
function isValueEnd(code: number): boolean {
  return code !== 44 && code !== 123 && code !== 91 && code !== 58 && code !== 0;
}

/** The index behind the bracketed value that starts at `from`, or -1 when it does not end before `limit`. */
export function endOfValue(text: string, from: number, limit = text.length): number {
  let depth = 0;
  let inString = false;
  for (let at = from; at < limit; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 92) at += 1;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 123 || code === 91) depth += 1;
    else if (code === 125 || code === 93) {
      depth -= 1;
      if (depth <= 0) return at + 1;
    }
  }
  return -1;
}
