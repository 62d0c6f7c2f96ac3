import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import headless from '@xterm/headless';
import { spawn } from 'node-pty';
import { afterAll, onTestFinished } from 'vitest';
import { writeFiles } from '../../engine/workspace/testing/testFolder.ts';

/** A `vise` on a real pseudo-terminal, and what a person sees of it. */
export interface PtyRun {
  readonly folder: string;
  readonly project: string;
  type(text: string): void;
  resize(columns: number, rows: number): void;
  /** Waits until this stands on the screen or above it, as text. */
  see(text: string | RegExp): Promise<void>;
  /** All lines, from the first one that was printed, without times, ids, folders and tokens. */
  picture(): string;
  /** Lines whose look goes on behind their end, and looks where colours are unwanted; a cursor that stays hidden. */
  faults(): readonly string[];
  /** Every byte so far. */
  raw(): string;
  code(): Promise<number>;
}

export interface PtyOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly colours?: boolean;
  readonly replies?: readonly object[];
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** A folder of an earlier run, to go on in. */
  readonly folder?: string;
}

const cli = join(import.meta.dirname, '..', '..', 'cli.ts');
const limitMs = 20_000;
/** What the starts of one test file need to compile only once. */
const compiled = mkdtempSync(join(tmpdir(), 'vise-compiled-'));
afterAll(() => rmSync(compiled, { recursive: true, force: true }));

/** Starts `vise` with these words on a terminal of its own, in a project of its own with the scripted model; ended with the test. */
export function runOnTerminal(words: readonly string[], options: PtyOptions = {}): PtyRun {
  const { columns = 100, rows = 40, colours = false, replies = [], files = { 'a.txt': 'old words\n' } } = options;
  const folder = options.folder ?? realpathSync(mkdtempSync(join(tmpdir(), 'vise-pty-')));
  const project = join(folder, 'project');
  if (options.folder === undefined) {
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(project);
    writeFiles(project, files);
  }
  writeFileSync(join(folder, 'script.json'), JSON.stringify({ replies }));
  const env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    VISE_HOME: join(folder, 'home'),
    VISE_SCRIPT: join(folder, 'script.json'),
    LLM_PROVIDER: 'scripted',
    TERM: 'xterm-256color',
    // Stripping types anew takes most of a start.
    NODE_COMPILE_CACHE: compiled,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    ...(colours ? {} : { NO_COLOR: '1' }),
    ...options.env,
  };
  const pty = spawn(process.execPath, [cli, ...words], { cwd: project, env, cols: columns, rows });
  const terminal = new headless.Terminal({ cols: columns, rows, scrollback: 5_000, allowProposedApi: true });
  let raw = '';
  let written: Promise<void> = Promise.resolve();
  let waiting: (() => void) | undefined;
  pty.onData((data) => {
    raw += data;
    written = new Promise((resolve) => terminal.write(data, resolve));
    void written.then(() => waiting?.());
  });
  const exit = Promise.withResolvers<number>();
  let isOver = false;
  pty.onExit(({ exitCode }) => {
    isOver = true;
    exit.resolve(exitCode);
    waiting?.();
  });
  onTestFinished(async () => {
    if (!isOver) pty.kill('SIGKILL');
    await exit.promise.catch(() => undefined);
    terminal.dispose();
  });
  const text = (): string => linesOf(terminal, false).join('\n');
  return {
    folder,
    project,
    type: (typed) => pty.write(typed),
    resize(cols, lines) {
      pty.resize(cols, lines);
      terminal.resize(cols, lines);
    },
    async see(wanted) {
      const isThere = (): boolean => (typeof wanted === 'string' ? text().includes(wanted) : wanted.test(text()));
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const late = setTimeout(() => reject(new Error(`not seen: ${String(wanted)}\n${text()}`)), limitMs);
      waiting = () => {
        if (isThere()) resolve();
        else if (isOver) reject(new Error(`not seen before the end: ${String(wanted)}\n${text()}`));
      };
      waiting();
      await promise.finally(() => clearTimeout(late));
      waiting = undefined;
    },
    picture: () => `${withoutChance(linesOf(terminal, colours), folder).join('\n').trimEnd()}\n`,
    faults: () => faultsOf(raw, colours),
    raw: () => raw,
    async code() {
      const late = setTimeout(() => exit.reject(new Error(`it does not end:\n${text()}`)), limitMs);
      const code = await exit.promise.finally(() => clearTimeout(late));
      await written;
      return code;
    },
  };
}

function faultsOf(raw: string, colours: boolean): readonly string[] {
  const isHidden = raw.lastIndexOf('\u001B[?25l') > raw.lastIndexOf('\u001B[?25h');
  const faulty = raw.split('\n').filter((line) => {
    const looks = [...line.matchAll(/\u001B\[([\d;]*)m/g)].map(([, look = '']) => look);
    return looks.length > 0 && (!colours || !['', '0'].includes(looks.at(-1) ?? ''));
  });
  return isHidden ? [...faulty, 'the cursor is hidden'] : faulty;
}

/** The columns of a small terminal, a usual one and a wide one. */
export const widths = [60, 100, 200] as const;

/** Runs a flow with colours and without, at once; `file` names its pictures. */
export async function bothWays(
  columns: number,
  flow: (
    look: { readonly columns: number; readonly colours: boolean },
    file: (name: string) => string,
  ) => Promise<void>,
): Promise<void> {
  await Promise.all(
    [true, false].map((colours) =>
      flow({ columns, colours }, (name) => `pictures/${name}-${columns}${colours ? '-colours' : ''}.txt`),
    ),
  );
}

const styleNames = [
  ['b', 'isBold'],
  ['d', 'isDim'],
  ['i', 'isItalic'],
  ['u', 'isUnderline'],
] as const;
const colourNames = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

/** The lines of a terminal; with looks, each run of them as `<green,b>…</>`. */
function linesOf(terminal: headless.Terminal, looks: boolean): readonly string[] {
  const buffer = terminal.buffer.active;
  const lines: string[] = [];
  for (let y = 0; y < buffer.length; y += 1) {
    const line = buffer.getLine(y);
    if (!line || !looks) {
      lines.push(line?.translateToString(true) ?? '');
      continue;
    }
    let output = '';
    let look = '';
    for (let x = 0; x < line.length; x += 1) {
      const cell = line.getCell(x);
      if (!cell || cell.getWidth() === 0) continue;
      const styles = styleNames.filter(([, has]) => cell[has]() !== 0).map(([name]) => name);
      const colour = cell.isFgDefault() ? [] : [colourNames[cell.getFgColor()] ?? 'other'];
      const now = [...colour, ...styles].join(',');
      if (now !== look) output += `${look === '' ? '' : '</>'}${now === '' ? '' : `<${now}>`}`;
      look = now;
      output += cell.getChars() || ' ';
    }
    lines.push(`${output.trimEnd()}${look === '' ? '' : '</>'}`.trimEnd());
  }
  return lines;
}

/** What differs from run to run: times, ids of sessions and tasks, folders, the turning sign. */
function withoutChance(lines: readonly string[], folder: string): readonly string[] {
  return lines.map((line) =>
    line
      .replaceAll(folder, '/tmp/vise')
      // In a column they keep their width.
      .replaceAll(/\d{8}-\d{6}-[0-9a-f]{8}(?= {2})/g, 'SESSION'.padEnd(24))
      .replaceAll(/\d{8}-\d{6}-[0-9a-f]{8}/g, 'SESSION')
      .replaceAll(/\b\d{4}-\d\d-\d\d \d\d:\d\d\b/g, 'DATE'.padEnd(16))
      .replaceAll(/\b\d+(?:\.\d)? s\b/g, 'N s')
      .replaceAll(/[\d.]+[kM]? tokens in/g, 'N tokens in')
      .replaceAll(/[\d.]+[kM]? out\b/g, 'N out')
      .replaceAll(/[◐◓◑◒]/g, '◐'),
  );
}
