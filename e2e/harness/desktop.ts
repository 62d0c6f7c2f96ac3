import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { _electron, type Browser, chromium, type ElectronApplication, type Page } from '@playwright/test';
import type * as Electron from 'electron';
import { findLeftovers } from '../../.setup/leftovers.ts';
import { productRoot } from './folders.ts';
import { programEnvironment, textOf } from './program.ts';
import { isPictured } from './shoot.ts';
import { until } from './until.ts';

/** The module `electron` of the running app, as the functions of a test get it. */
export type Main = typeof Electron;

/** The built desktop app, running: on a real Electron where its binary is found, else on the stand-in. */
export interface Desktop {
  readonly pid: number;
  /** The windows' pages that show something. */
  pages(): Promise<readonly Page[]>;
  /** The page of the first window, once there is one. */
  page(): Promise<Page>;
  /** Runs a function in the main process. It sees nothing of the test but its argument. */
  evaluate<T, A = undefined>(run: (main: Main, arg: A) => T | Promise<T>, arg?: A): Promise<T>;
  /** Drops a file or folder of this computer on a page. */
  drop(page: Page, path: string): Promise<void>;
  readonly exited: Promise<number | null>;
  readonly stderr: () => string;
  /** Ends it, by force where it does not end by itself, and what it left. */
  end(): Promise<void>;
}

export interface DesktopOptions {
  readonly home: string;
  /** The folder of the app; default: the project. */
  readonly app?: string;
  readonly words?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** A program and its words that start the app in their turn. */
  readonly through?: readonly string[];
}

/** The real binary, where there is one. */
export function electronBinary(): string | undefined {
  const names: Readonly<Record<string, string>> = {
    darwin: 'Electron.app/Contents/MacOS/Electron',
    win32: 'electron.exe',
  };
  const folder = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(productRoot, 'node_modules', 'electron', 'dist');
  const path = join(folder, names[process.platform] ?? 'electron');
  return existsSync(path) ? path : undefined;
}

export const desktopKind = electronBinary() === undefined ? 'the stand-in' : 'a real Electron';

let started = 0;

export async function startDesktop(options: DesktopOptions): Promise<Desktop> {
  started += 1;
  const mark = `${options.home}#desktop${started}`;
  const env = { ...programEnvironment(options.home, options.env), TEST_FILE_MARK: mark };
  const binary = electronBinary();
  const desktop = binary === undefined ? await onStandIn(options, env) : await onElectron(binary, options, env);
  return {
    ...desktop,
    async end() {
      await desktop.end();
      const left = (): boolean => findLeftovers(0, `TEST_FILE_MARK=${mark}`).length === 0;
      await until('what the app started to end', left, {
        report: () =>
          findLeftovers(0, `TEST_FILE_MARK=${mark}`)
            .map(({ command }) => command)
            .join('\n'),
      });
    },
  };
}

async function dropOn(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data });
  await session.detach();
}

async function onElectron(executablePath: string, options: DesktopOptions, env: NodeJS.ProcessEnv): Promise<Desktop> {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const app: ElectronApplication = await _electron.launch({
    executablePath,
    args: [...asRoot, options.app ?? productRoot, ...(options.words ?? [])],
    env: env as Record<string, string>,
  });
  const child = app.process();
  const texts = textOf(child.stderr);
  return {
    pid: child.pid ?? 0,
    pages: async () => app.windows(),
    page: () => app.firstWindow(),
    evaluate: (run, arg) => app.evaluate(run as never, arg) as never, // the same function, typed by Playwright's module
    drop: dropOn,
    exited: new Promise((resolve) => child.once('exit', resolve)),
    stderr: texts,
    end: () => end(child),
  };
}

/** The program that `process.execPath` is in the app: Node where the fuse lets it be, else a second app (fact 8). */
function writeProgram(home: string, app: string): string {
  const path = join(home, 'electron');
  const run = join(productRoot, 'e2e', 'standIn', 'run.ts');
  const configuration = readFileSync(join(productRoot, 'electron-builder.yml'), 'utf8');
  const node = /^ {2}runAsNode: true$/m.test(configuration)
    ? `[ "$ELECTRON_RUN_AS_NODE" = 1 ] && exec '${process.execPath}' "$@"\n`
    : '';
  writeFileSync(path, `#!/bin/sh\n${node}exec '${process.execPath}' '${run}' '${app}' "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

async function onStandIn(options: DesktopOptions, given: NodeJS.ProcessEnv): Promise<Desktop> {
  const app = options.app ?? productRoot;
  const env = {
    ...given,
    STAND_IN_PROGRAM: writeProgram(options.home, app),
    STAND_IN_NODE: process.execPath,
    VISE_CHROMIUM: process.env['VISE_CHROMIUM'],
    STAND_IN_SHOWN: isPictured ? '1' : undefined,
  };
  const run = join(productRoot, 'e2e', 'standIn', 'run.ts');
  const [program = '', ...words] = [
    ...[...(options.through ?? []), process.execPath, '--disable-warning=ExperimentalWarning', run, app],
    ...(options.words ?? []),
  ];
  const child = spawn(program, words, {
    cwd: options.home,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const stderr = textOf(child.stderr);
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const waiting = new Map<number, (answer: { readonly value?: unknown; readonly error?: string }) => void>();
  let asked = 0;
  child.on('message', (answer: { readonly id: number; readonly value?: unknown; readonly error?: string }) => {
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  const ask = async (question: object): Promise<unknown> => {
    asked += 1;
    const id = asked;
    const answered = new Promise<{ readonly value?: unknown; readonly error?: string }>((resolve) => {
      waiting.set(id, resolve);
      void exited.then((code) => resolve({ error: `the app ended (${code}):\n${stderr()}` }));
    });
    child.send({ id, ...question });
    const { value, error } = await answered;
    if (error !== undefined) throw new Error(error);
    return value;
  };
  let joined: Promise<Browser> | undefined;
  const browser = (): Promise<Browser> => (joined ??= ask({}).then((at) => chromium.connectOverCDP(String(at))));
  const pages = async (): Promise<readonly Page[]> => {
    const [context] = (await browser()).contexts();
    return (context?.pages() ?? []).filter((page) => page.url().startsWith('http://vise.app.localhost'));
  };
  const evaluate: Desktop['evaluate'] = (source, arg) => ask({ source: source.toString(), arg }) as Promise<never>; // what the function answers
  return {
    pid: child.pid ?? 0,
    pages,
    page: () => until('the first window', async () => (await pages())[0], { report: stderr }),
    evaluate,
    async drop(page, path) {
      await evaluate(
        async ({ BrowserWindow }, [name, at]) => {
          for (const window of BrowserWindow.getAllWindows() as unknown as StandInWindow[])
            await window.page.knowPath(name, at);
        },
        [basename(path), path] as const,
      );
      await dropOn(page, path);
    },
    exited,
    stderr,
    end: async () => {
      await (await joined?.catch(() => undefined))?.close().catch(() => undefined);
      await end(child);
    },
  };
}

interface StandInWindow {
  readonly page: { knowPath(name: string, path: string): Promise<void> };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exited;
}

/** Answers the app's dialogs from now on, as a person would, and notes what they said. */
export async function answerDialogs(
  desktop: Desktop,
  { button = 0, folder }: { readonly button?: number; readonly folder?: string } = {},
): Promise<void> {
  await desktop.evaluate(
    ({ dialog }, [response, path]) => {
      const said: string[] = [];
      Object.assign(globalThis, { said });
      dialog.showMessageBox = async (...given: readonly object[]) => {
        const { message, detail, buttons } = given.at(-1) as Electron.MessageBoxOptions;
        said.push([message, detail, buttons?.[response]].join(' | '));
        return { response, checkboxChecked: false };
      };
      dialog.showOpenDialog = async () => ({
        canceled: path === '',
        filePaths: path === '' ? [] : [path],
      });
    },
    [button, folder ?? ''] as const,
  );
}

/** What the dialogs have said since `answerDialogs`. */
export function dialogsOf(desktop: Desktop): Promise<readonly string[]> {
  return desktop.evaluate(() => (globalThis as unknown as { readonly said?: readonly string[] }).said ?? []);
}
