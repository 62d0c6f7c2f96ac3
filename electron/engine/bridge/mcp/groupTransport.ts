import { type ChildProcess, spawn } from 'node:child_process';
import type { JSONRPCMessage, ReadBuffer, Transport } from '@modelcontextprotocol/client';
import { StartedGroup } from '../../base/signals.ts';
import { programStart, serverProgram } from '../cliSpec/programStart.ts';

export interface GroupTransportOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The newest part of what the server writes to stderr, for the error that says why it does not start. */
  onStderr(text: string): void;
}

export interface TransportSdk {
  readonly ReadBuffer: new (options?: { maxBufferSize?: number }) => ReadBuffer;
  serializeMessage(message: JSONRPCMessage): string;
}

const maxMessageBytes = 10 * 1024 * 1024;
/** The server may end by itself when its input closes, then by TERM, before it is killed. */
const politeMs = 500;
const termMs = 2_000;

/**
 * Messages over the pipes of a child. Unlike the SDK's own transport it gives the child a process group and ends the whole
 * group: servers are mostly started through `npx` or a shell, whose child would be left behind.
 */
export class GroupTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #options: GroupTransportOptions;
  readonly #sdk: TransportSdk;
  readonly #buffer: ReadBuffer;
  #child: ChildProcess | undefined;
  #group: StartedGroup | undefined;
  #gone: Promise<void> = Promise.resolve();

  constructor(options: GroupTransportOptions, sdk: TransportSdk) {
    this.#options = options;
    this.#sdk = sdk;
    this.#buffer = new sdk.ReadBuffer({ maxBufferSize: maxMessageBytes });
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): Promise<void> {
    const { command, args, cwd, env } = this.#options;
    return new Promise((resolve, reject) => {
      const start = programStart(serverProgram(command, { cwd, env }), args, env);
      const child = spawn(start.file, [...start.args], {
        cwd,
        env: { ...env },
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: process.platform !== 'win32',
        windowsHide: true,
        windowsVerbatimArguments: start.verbatim,
      });
      this.#child = child;
      this.#group = new StartedGroup(child);
      this.#gone = new Promise((ended) => {
        child.once('exit', () => ended());
        child.once('error', () => ended());
      });
      child.once('spawn', () => resolve());
      child.once('error', (error) => {
        reject(error);
        this.onerror?.(error);
      });
      child.once('exit', () => {
        this.#kill('SIGKILL'); // what it left in its group
        this.#child = undefined;
        this.onclose?.();
      });
      child.stdin.on('error', (error) => this.onerror?.(error));
      child.stderr.on('data', (bytes: Buffer) => this.#options.onStderr(bytes.toString()));
      child.stdout.on('data', (bytes: Buffer) => this.#read(bytes));
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) throw new Error('The server has ended');
    if (stdin.write(this.#sdk.serializeMessage(message))) return;
    // Whichever comes first: a server that ends never drains.
    await Promise.race([new Promise<void>((drained) => void stdin.once('drain', () => drained())), this.#gone]);
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    child.stdin?.end();
    if (await this.#within(politeMs)) return;
    this.#kill('SIGTERM');
    if (await this.#within(termMs)) return;
    this.#kill('SIGKILL');
    await this.#gone;
  }

  #read(bytes: Buffer): void {
    try {
      this.#buffer.append(bytes);
      for (let message = this.#buffer.readMessage(); message !== null; message = this.#buffer.readMessage())
        this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      // What comes after a message that is too large or broken has no beginning any more.
      this.#kill('SIGTERM');
    }
  }

  async #within(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), ms);
    });
    const ended = await Promise.race([this.#gone.then(() => true), late]);
    clearTimeout(timer);
    return ended;
  }

  #kill(how: 'SIGTERM' | 'SIGKILL'): void {
    this.#group?.signal(how);
  }
}
