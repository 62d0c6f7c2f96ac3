import type { Io } from './io.ts';

/** Everything that a terminal obeys instead of showing it, but for tabs and line ends; and what turns the direction of a line. */
const obeyed =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach the terminal
  /\r(?!\n)|[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g;

/** The colours of `createPaint`; all that a foreign text could do with them is to be coloured. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: what an escape sequence begins with
const ownColour = /(\u001B\[(?:0|1|2|31|32|33)m)/;

/**
 * A text of a model, a tool or a project as it may be printed on a terminal (C8): escape sequences, which could write the
 * clipboard, name the window or print over what stands there, are shown as signs, and so are direction marks.
 */
export function forTerminal(text: string): string {
  return text.replace(obeyed, (char) => {
    const code = char.charCodeAt(0);
    if (code === 0x7f) return '␡';
    if (code < 0x20) return String.fromCharCode(0x24_00 + code);
    return `⟦U+${code.toString(16).toUpperCase().padStart(4, '0')}⟧`;
  });
}

/** The same in JSON, where the escaped character means the same as the character. */
function jsonForTerminal(text: string): string {
  return text.replace(obeyed, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * A process that prints nothing that a terminal obeys, whoever wrote it (names in specs, titles, messages of errors): for
 * commands that print lists and answers. Their own colours stay, and `exact` prints a text as it is.
 */
export function guardedIo(io: Io): Io {
  const clean = (text: string): string =>
    /^\s*[[{]/.test(text)
      ? jsonForTerminal(text)
      : text
          .split(ownColour)
          .map((part, at) => (at % 2 === 1 ? part : forTerminal(part)))
          .join('');
  return {
    ...io,
    out: (text) => io.out(clean(text)),
    err: (text) => io.err(clean(text)),
    exact: (text) => io.out(text),
  };
}
