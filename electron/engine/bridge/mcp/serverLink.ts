import { setTimeout as delay } from 'node:timers/promises';
import type { CallToolResult, Client, RequestOptions } from '@modelcontextprotocol/client';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { Disposable } from '../../base/disposer.ts';
import { describeError } from '../../base/log.ts';
import { type AskPerson, answerForm } from './answerForm.ts';
import type { CallParts, LinkParts, LinkState } from './linkState.ts';
import { listOffered } from './listOffered.ts';
import type { ServerEntry } from './mcpConfig.ts';
import { ServerLog } from './serverLog.ts';
import { type Sdk, serverTransport } from './serverTransport.ts';
import { type Challenge, type SigningIn, signIn } from './signIn.ts';

/** The first wait after a crash; it doubles up to the last. */
const firstRetryMs = 1_000;
const maxRetries = 6;
/** A server that ran this long begins anew with its retries. */
const stableMs = 60_000;
const connectMs = 30_000;
const maxCallMs = 10 * 60_000;
/** A person waits for it. */
const maxTextMs = 30_000;
const farewellMs = 500;
const maxStderr = 2_000;

/** One MCP server: connected, listed, followed, and started again when it crashes. */
export class ServerLink {
  readonly entry: ServerEntry;
  #state: LinkState = { kind: 'connecting' };
  readonly #parts: LinkParts;
  #client: Client | undefined;
  #retries = 0;
  #attempt = 0;
  #readyAt = 0;
  #timer: Disposable | undefined;
  #closed = false;
  #stderr = '';
  #challenge: Challenge | undefined;
  #signingIn: SigningIn | undefined;
  /** Of the calls that run, the latest last: they have the person to ask. */
  readonly #askers: AskPerson[] = [];
  readonly log: ServerLog;

  constructor(entry: ServerEntry, parts: LinkParts) {
    this.entry = entry;
    this.#parts = parts;
    this.log = new ServerLog(parts.clock, parts.redact);
  }

  get state(): LinkState {
    return this.#state;
  }

  /** Ends when the server is ready or the first attempt failed; later attempts go on by themselves. */
  async open(): Promise<void> {
    if (this.#closed) return;
    this.#set({ kind: 'connecting' });
    this.#stderr = '';
    this.#challenge = undefined;
    this.#attempt += 1;
    const attempt = this.#attempt;
    try {
      await this.#connect();
    } catch (error) {
      if (attempt !== this.#attempt) return; // begun anew meanwhile
      const client = this.#client;
      this.#client = undefined;
      await client?.close().catch(() => undefined);
      if (this.#challenge !== undefined) this.#signedOut();
      else this.#retry(`${describeError(error)}${this.#stderr.trim() === '' ? '' : `: ${this.#stderr.trim()}`}`);
    }
  }

  /** Closes what is there and begins anew, with all its retries. */
  async restart(): Promise<void> {
    this.#timer?.dispose();
    this.#signingIn?.cancel();
    this.#retries = 0;
    const client = this.#client;
    this.#client = undefined;
    await this.#end(client);
    await this.open();
  }

  /** The page that the person signs in at; the server is connected once they have. Errors: UNAVAILABLE, with the reason. */
  async signIn(): Promise<Result<string>> {
    const { connection } = this.entry;
    if (connection.kind !== 'http' || this.#state.kind !== 'signedOut')
      return fail('UNAVAILABLE', `The MCP server ${this.entry.name} does not ask to be signed in to`);
    this.#signingIn?.cancel();
    const begun = await signIn(connection.url, this.#challenge ?? {}, this.#parts);
    if (!begun.ok) {
      this.#signedOut(begun.error.message);
      return begun;
    }
    const { page, done } = begun.value;
    if (this.#closed) begun.value.cancel();
    this.#signingIn = begun.value;
    this.#set({ kind: 'signedOut', page });
    void done.then((ended) => {
      if (this.#signingIn !== begun.value) return;
      this.#signingIn = undefined;
      // Signed in: whoever follows the tokens opens it.
      if (!ended.ok && this.#state.kind === 'signedOut') this.#signedOut(ended.error.message);
    });
    return ok(page);
  }

  /** Errors: UNAVAILABLE (not connected, signed out, or it ended meanwhile), CANCELLED, TIMEOUT. */
  async call(
    name: string,
    input: Readonly<Record<string, unknown>>,
    { signal, onProgress, ask }: CallParts,
  ): Promise<Result<CallToolResult>> {
    const client = this.#client;
    if (client === undefined || this.#state.kind !== 'ready') return this.#notConnected();
    if (ask) this.#askers.push(ask);
    try {
      const answer = await client.callTool(
        { name, arguments: { ...input } },
        {
          signal,
          timeout: maxCallMs,
          resetTimeoutOnProgress: true,
          maxTotalTimeout: maxCallMs,
          onprogress: ({ message, progress, total }) =>
            onProgress(message ?? `${progress}${total === undefined ? '' : ` of ${total}`}`),
        },
      );
      return ok(answer);
    } catch (error) {
      if (signal.aborted) return fail('CANCELLED', `The call of ${name} was cancelled`);
      if (await this.#isRefused(client)) return this.#notConnected();
      const message = `${this.entry.name} ${name}: ${describeError(error)}`;
      return /timed? ?out/i.test(describeError(error)) ? fail('TIMEOUT', message) : fail('UNAVAILABLE', message);
    } finally {
      if (ask) this.#askers.splice(this.#askers.indexOf(ask), 1);
    }
  }

  /** Asks for a text. Errors: UNAVAILABLE. */
  async ask<T>(question: (client: Client, options: RequestOptions) => Promise<T>): Promise<Result<T>> {
    const client = this.#client;
    if (client === undefined || this.#state.kind !== 'ready') return this.#notConnected();
    try {
      return ok(await question(client, { timeout: maxTextMs }));
    } catch (error) {
      if (await this.#isRefused(client)) return this.#notConnected();
      return fail('UNAVAILABLE', `${this.entry.name}: ${describeError(error)}`);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#timer?.dispose();
    this.#signingIn?.cancel();
    const client = this.#client;
    this.#client = undefined;
    await this.#end(client);
    this.#set({ kind: 'closed' });
  }

  async #end(client: Client | undefined): Promise<void> {
    const over = client?.close().catch(() => undefined);
    // A server that does not answer the farewell is not waited for; one of our own is ended with its group.
    await (this.entry.connection.kind === 'http'
      ? Promise.race([over, delay(farewellMs, undefined, { ref: false })])
      : over);
  }

  #notConnected(): Result<never> {
    const { name } = this.entry;
    return this.#state.kind === 'signedOut'
      ? fail('UNAVAILABLE', `The MCP server ${name} wants the person to sign in, under Settings › MCP servers`)
      : fail('UNAVAILABLE', `The MCP server ${name} is not connected`);
  }

  /** The server said no to who asks, in the middle of what it did before: the person must sign in anew. */
  async #isRefused(client: Client): Promise<boolean> {
    if (this.#challenge === undefined || this.#client !== client) return this.#state.kind === 'signedOut';
    this.#client = undefined;
    await this.#end(client);
    this.#signedOut();
    return true;
  }

  #signedOut(reason?: string): void {
    if (!this.#closed) this.#set({ kind: 'signedOut', ...(reason !== undefined && { reason }) });
  }

  async #connect(): Promise<void> {
    const sdk = await import('@modelcontextprotocol/client');
    if (this.#closed) return;
    const follow = { autoRefresh: false, onChanged: () => void this.#refresh(client) };
    const client: Client = new sdk.Client(
      { name: 'vise', version: this.#parts.version },
      {
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: 5_000 } },
        capabilities: { elicitation: { form: {} } },
        listChanged: { tools: follow, prompts: follow, resources: follow },
      },
    );
    this.#client = client;
    client.setRequestHandler('elicitation/create', ({ params }) => {
      const ask = this.#askers.at(-1);
      // Only in a call there is somebody to ask.
      if (params.mode === 'url' || ask === undefined) return { action: 'cancel' };
      return answerForm(this.entry.name, params, ask);
    });
    client.setNotificationHandler('notifications/message', ({ params: { level, data } }) =>
      this.log.add(level, typeof data === 'string' ? data : JSON.stringify(data)),
    );
    await client.connect(this.#transport(sdk, client), { timeout: connectMs });
    // Set after connecting: the SDK closes its probe on the way, which is no crash.
    client.onclose = () => this.#ended(client, 'The server ended');
    client.onerror = (error) => this.#parts.log.warn(`MCP server ${this.entry.name}`, error);
    const offered = await listOffered(client);
    if (this.#client !== client || this.#closed) {
      await client.close();
      return;
    }
    this.#readyAt = this.#parts.clock.monotonicMs();
    this.#set({ kind: 'ready', ...offered });
  }

  #transport(sdk: Sdk, client: Client) {
    return serverTransport(this.entry, this.#parts, sdk, {
      // Whoever waits for the answer is told by the end of the connection.
      onExcess: (why) => {
        this.#stderr = why;
        void client.close().catch(() => undefined);
      },
      onChallenge: (challenge) => {
        this.#challenge = challenge;
      },
      onStderr: (text) => {
        this.#stderr = (this.#stderr + text).slice(-maxStderr);
        this.log.addStderr(text);
      },
    });
  }

  async #refresh(client: Client): Promise<void> {
    try {
      const offered = await listOffered(client);
      if (this.#client === client && this.#state.kind === 'ready') this.#set({ kind: 'ready', ...offered });
    } catch (error) {
      this.#parts.log.warn(`MCP server ${this.entry.name} changed what it offers and does not list it`, error);
    }
  }

  #ended(client: Client, reason: string): void {
    if (this.#client !== client || this.#closed) return;
    this.#client = undefined;
    if (this.#state.kind === 'ready' && this.#parts.clock.monotonicMs() - this.#readyAt >= stableMs) this.#retries = 0;
    this.#retry(`${reason}${this.#stderr.trim() === '' ? '' : `: ${this.#stderr.trim()}`}`);
  }

  #retry(reason: string): void {
    if (this.#closed) return;
    if (this.#retries >= maxRetries) {
      this.#set({ kind: 'failed', reason });
      return;
    }
    const retryInMs = firstRetryMs * 2 ** this.#retries;
    this.#retries += 1;
    this.#timer = this.#parts.clock.after(retryInMs, () => void this.open());
    this.#set({ kind: 'waiting', reason, retryInMs });
  }

  #set(state: LinkState): void {
    if (state.kind !== this.#state.kind || this.log.lines.length === 0) {
      this.log.endStderr();
      this.log.add(
        'vise',
        'reason' in state && state.reason !== undefined ? `${state.kind}: ${state.reason}` : state.kind,
      );
    }
    this.#state = state;
    this.#parts.onState();
  }
}
