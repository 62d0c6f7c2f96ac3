/** Everything that a terminal obeys instead of showing it, but for tabs and line ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach the terminal
const obeyed = /\r(?!\n)|[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g;

/**
 * A text of a model, a tool or a project as it may be printed on a terminal (C8): escape sequences, which could write the
 * clipboard, name the window or print over what stands there, are shown as signs.
 */
export function forTerminal(text: string): string {
  return text.replace(obeyed, (char) => {
    const code = char.charCodeAt(0);
    if (code === 0x7f) return '␡';
    return code < 0x20 ? String.fromCharCode(0x24_00 + code) : `⟦U+00${code.toString(16).toUpperCase()}⟧`;
  });
}
