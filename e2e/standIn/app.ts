import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as Electron from 'electron';
import { StrictEmitter } from './strict.ts';

const events = [
  'ready',
  'activate',
  'before-quit',
  'browser-window-created',
  'browser-window-focus',
  'open-file',
  'open-url',
  'quit',
  'second-instance',
  'web-contents-created',
  'will-quit',
  'window-all-closed',
] as const;

type Members =
  | 'whenReady'
  | 'isReady'
  | 'quit'
  | 'exit'
  | 'getPath'
  | 'setPath'
  | 'getLocale'
  | 'getPreferredSystemLanguages'
  | 'getName'
  | 'getVersion'
  | 'requestSingleInstanceLock'
  | 'setAsDefaultProtocolClient'
  | 'addRecentDocument'
  | 'clearRecentDocuments'
  | 'setBadgeCount'
  | 'getBadgeCount'
  | 'showAboutPanel'
  | 'setAboutPanelOptions'
  | 'setAppLogsPath'
  | 'relaunch';

/** Closes all windows for `quit`; answers false where one of them refuses. Set by the windows. */
let closeAll: () => boolean = () => true;

export function setCloseAll(close: typeof closeAll): void {
  closeAll = close;
}

class App extends StrictEmitter implements Pick<Electron.App, Members> {
  readonly isPackaged = process.env['STAND_IN_PACKAGED'] !== undefined;
  readonly #paths = new Map<string, string>();
  readonly #recent: string[] = [];
  readonly #ready: Promise<void>;
  #makeReady: () => void = () => undefined;
  #isReady = false;
  #quitting = false;
  #badge = 0;
  #about: object = {};
  name = 'vise';
  /** The lock was asked for and not given: whatever this instance does beyond ending is wrong. */
  hasLost = false;
  protocolClient = '';

  constructor() {
    super('app', events);
    this.#ready = new Promise((resolve) => {
      this.#makeReady = resolve;
    });
  }

  /** Fact: only after the entry module was evaluated, and even when quitting was asked for before. */
  becomeReady(): void {
    this.#isReady = true;
    this.#makeReady();
    this.emit('ready', {}, {});
    if (this.#quitting) setImmediate(() => this.#end());
  }

  whenReady(): Promise<void> {
    return this.#ready;
  }

  isReady(): boolean {
    return this.#isReady;
  }

  /** Fact: returns, and `ready` still comes. */
  quit(): void {
    if (!this.#isReady) {
      this.#quitting = true;
      return;
    }
    if (this.#quitting) return;
    this.#quitting = true;
    if (this.ask('before-quit') || !closeAll()) this.#quitting = false;
    else if (this.ask('will-quit')) this.#quitting = false;
    else this.#end();
  }

  get isQuitting(): boolean {
    return this.#quitting;
  }

  #end(): void {
    this.emit('quit', {}, 0);
    process.exit(0);
  }

  exit(code = 0): void {
    this.emit('quit', {}, code);
    process.exit(code);
  }

  getPath(name: string): string {
    const given = this.#paths.get(name);
    if (given !== undefined) return given;
    if (name === 'userData') return join(homedir(), '.config', this.name);
    if (name === 'crashDumps' || name === 'logs') return join(this.getPath('userData'), name);
    if (name === 'exe') return process.execPath;
    if (name === 'home') return homedir();
    throw new Error(`The stand-in knows no path "${name}".`);
  }

  setPath(name: string, path: string): void {
    if (this.#isReady && name === 'userData') throw new Error('userData was set after ready.');
    statSync(path); // throws where it does not exist, as Electron does
    this.#paths.set(name, path);
  }

  getLocale(): string {
    return 'en-US';
  }

  getPreferredSystemLanguages(): string[] {
    return (process.env['STAND_IN_LANGUAGES'] ?? 'en-US').split(',');
  }

  getName(): string {
    return this.name;
  }

  getVersion(): string {
    return '0.1.0';
  }

  /** Asked synchronously of the instance that holds the lock of this profile, by a helper that may wait. */
  requestSingleInstanceLock(additionalData: object = {}): boolean {
    const mark = createHash('sha256').update(this.getPath('userData')).digest('hex').slice(0, 20);
    const path = join(tmpdir(), `stand-in-${mark}.sock`);
    const told = JSON.stringify({ argv: chromiumOrder(process.argv), cwd: process.cwd(), additionalData });
    const program = `const s=require('node:net').connect(process.argv[1],()=>s.end(process.argv[2]));s.on('error',()=>process.exit(3));s.on('close',()=>process.exit(0));s.resume()`;
    const asked = spawnSync(process.env['STAND_IN_NODE'] ?? process.argv0, ['-e', program, path, told]);
    if (asked.status === 0) {
      this.hasLost = true;
      return false;
    }
    rmSync(path, { force: true });
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      let text = '';
      socket.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      socket.on('error', () => undefined);
      socket.on('end', () => {
        socket.end();
        const {
          argv,
          cwd,
          additionalData: data,
        } = JSON.parse(text) as {
          readonly argv: readonly string[];
          readonly cwd: string;
          readonly additionalData: unknown;
        };
        void this.#ready.then(() => this.emit('second-instance', {}, argv, cwd, data));
      });
    });
    server.listen(path).unref();
    process.on('exit', () => rmSync(path, { force: true }));
    return true;
  }

  setAsDefaultProtocolClient(scheme: string): boolean {
    this.protocolClient = scheme;
    return true;
  }

  addRecentDocument(path: string): void {
    this.#recent.push(path);
  }

  get recentDocuments(): readonly string[] {
    return this.#recent;
  }

  clearRecentDocuments(): void {
    this.#recent.length = 0;
  }

  setBadgeCount(count = 0): boolean {
    this.#badge = count;
    return true;
  }

  getBadgeCount(): number {
    return this.#badge;
  }

  setAboutPanelOptions(options: object): void {
    this.#about = options;
  }

  showAboutPanel(): void {
    Object.assign(globalThis, { aboutPanel: this.#about });
  }

  setAppLogsPath(path?: string): void {
    if (path !== undefined) mkdirSync(path, { recursive: true });
  }

  relaunch(): void {
    throw new Error('The stand-in does not relaunch.');
  }
}

/** Fact: Chromium reorders the arguments that a second instance hands over; flags come first, words lose their place. */
function chromiumOrder([program = '', ...words]: readonly string[]): readonly string[] {
  const flags = words.filter((word) => word.startsWith('-'));
  return [
    program,
    ...flags,
    '--original-process-start-time=1',
    ...words.filter((word) => !flags.includes(word)).toReversed(),
  ];
}

export const app = new App();
