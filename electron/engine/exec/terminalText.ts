import type { Terminal } from '@xterm/headless';

/** Lines above the screen that a serialised screen brings along. */
const scrollback = 5_000;

/** The screen that these bytes leave: `rows` lines without trailing blanks. LF returns the carriage, as under a terminal's default settings. */
export async function terminalText(bytes: Uint8Array, columns: number, rows: number): Promise<string> {
  const terminal = await openTerminal(columns, rows);
  try {
    await write(terminal, returnCarriage(bytes));
    const buffer = terminal.buffer.active;
    const lines: string[] = [];
    for (let i = 0; i < rows; i += 1) lines.push(buffer.getLine(buffer.viewportY + i)?.translateToString(true) ?? '');
    return lines.join('\n');
  } finally {
    terminal.dispose();
  }
}

/**
 * The sequences that paint the screen of these bytes (with up to 5,000 lines above it) on an empty terminal of the same size.
 * `returnOnLineFeed` for output whose line ends were not converted by the kernel.
 */
export async function serializedScreen(
  bytes: Uint8Array,
  columns: number,
  rows: number,
  returnOnLineFeed: boolean,
): Promise<string> {
  const terminal = await openTerminal(columns, rows);
  try {
    const { SerializeAddon } = await import('@xterm/addon-serialize');
    const addon = new SerializeAddon();
    terminal.loadAddon(addon);
    await write(terminal, returnOnLineFeed ? returnCarriage(bytes) : bytes);
    return addon.serialize({ scrollback });
  } finally {
    terminal.dispose();
  }
}

async function openTerminal(cols: number, rows: number): Promise<Terminal> {
  const { default: headless } = await import('@xterm/headless');
  return new headless.Terminal({ cols, rows, scrollback, allowProposedApi: true });
}

/** What the kernel does to output under a terminal's default settings: each LF becomes CR LF. */
function returnCarriage(bytes: Uint8Array): Uint8Array {
  let lineFeeds = 0;
  for (const byte of bytes) if (byte === 0x0a) lineFeeds += 1;
  const converted = new Uint8Array(bytes.length + lineFeeds);
  let at = 0;
  for (const byte of bytes) {
    if (byte === 0x0a) converted[at++] = 0x0d;
    converted[at++] = byte;
  }
  return converted;
}

function write(terminal: Terminal, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => terminal.write(bytes, resolve));
}
