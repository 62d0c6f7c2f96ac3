import { setTimeout as delay } from 'node:timers/promises';
import type {
  CallToolResult,
  Client,
  Prompt,
  Tool as RemoteTool,
  RequestOptions,
  Resource,
} from '@modelcontextprotocol/client';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposer.ts';
import { describeError, type Log } from '../../base/log.ts';
import { boundedFetch } from './boundedFetch.ts';
import { GroupTransport } from './groupTransport.ts';
import type { ServerEntry } from './mcpConfig.ts';

export type LinkState =
  | { readonly kind: 'connecting' }
  | ({ readonly kind: 'ready' } & Offered)
  | { readonly kind: 'waiting'; readonly reason: string; readonly retryInMs: number }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'closed' };

/** What a server has, as it was listed last. */
interface Offered {
  readonly tools: readonly RemoteTool[];
  readonly prompts: readonly Prompt[];
  readonly resources: readonly Resource[];
}

export interface LinkParts {
  readonly clock: Clock;
  readonly log: Log;
  /** The scrubbed environment of children. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly version: string;
  onState(): void;
}

/** The first wait after a crash; it doubles up to the last. */
const firstRetryMs = 1_000;
const maxRetries = 6;
/** A server that ran this long begins anew with its retries. */
const stableMs = 60_000;
const connectMs = 30_000;
const maxCallMs = 10 * 60_000;
/** A person waits for it. */
const maxTextMs = 30_000;
const maxTools = 500;
const maxTexts = 200;
const maxUri = 1_000;
/** Characters of the schema of one tool: all of it goes to the model. */
const maxSchemaChars = 50_000;
const maxNameChars = 200;
const farewellMs = 500;
const maxStderr = 2_000;

/** One MCP server: connected, listed, followed, and started again when it crashes. */
export class ServerLink {
  readonly entry: ServerEntry;
  #state: LinkState = { kind: 'connecting' };
  readonly #parts: LinkParts;
  #client: Client | undefined;
  #retries = 0;
  #readyAt = 0;
  #timer: Disposable | undefined;
  #closed = false;
  #stderr = '';

  constructor(entry: ServerEntry, parts: LinkParts) {
    this.entry = entry;
    this.#parts = parts;
  }

  get state(): LinkState {
    return this.#state;
  }

  /** Ends when the server is ready or the first attempt failed; later attempts go on by themselves. */
  async open(): Promise<void> {
    if (this.#closed) return;
    this.#set({ kind: 'connecting' });
    this.#stderr = '';
    try {
      await this.#connect();
    } catch (error) {
      const client = this.#client;
      this.#client = undefined;
      await client?.close().catch(() => undefined);
      this.#retry(`${describeError(error)}${this.#stderr.trim() === '' ? '' : `: ${this.#stderr.trim()}`}`);
    }
  }

  /** Errors: UNAVAILABLE (not connected, or it ended meanwhile), CANCELLED, TIMEOUT. */
  async call(
    name: string,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    onProgress: (text: string) => void,
  ): Promise<Result<CallToolResult>> {
    const client = this.#client;
    if (client === undefined || this.#state.kind !== 'ready')
      return fail('UNAVAILABLE', `The MCP server ${this.entry.name} is not connected`);
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
      const message = `${this.entry.name} ${name}: ${describeError(error)}`;
      return /timed? ?out/i.test(describeError(error)) ? fail('TIMEOUT', message) : fail('UNAVAILABLE', message);
    }
  }

  /** Asks for a text. Errors: UNAVAILABLE. */
  async ask<T>(question: (client: Client, options: RequestOptions) => Promise<T>): Promise<Result<T>> {
    const client = this.#client;
    if (client === undefined || this.#state.kind !== 'ready')
      return fail('UNAVAILABLE', `The MCP server ${this.entry.name} is not connected`);
    try {
      return ok(await question(client, { timeout: maxTextMs }));
    } catch (error) {
      return fail('UNAVAILABLE', `${this.entry.name}: ${describeError(error)}`);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#timer?.dispose();
    const client = this.#client;
    this.#client = undefined;
    const over = client?.close().catch(() => undefined);
    // A server that does not answer the farewell is not waited for; one of our own is ended with its group.
    await (this.entry.connection.kind === 'http'
      ? Promise.race([over, delay(farewellMs, undefined, { ref: false })])
      : over);
    this.#set({ kind: 'closed' });
  }

  async #connect(): Promise<void> {
    const sdk = await import('@modelcontextprotocol/client');
    if (this.#closed) return;
    const follow = { autoRefresh: false, onChanged: () => void this.#refresh(client) };
    const client: Client = new sdk.Client(
      { name: 'vise', version: this.#parts.version },
      {
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: 5_000 } },
        listChanged: { tools: follow, prompts: follow, resources: follow },
      },
    );
    this.#client = client;
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

  #transport(sdk: typeof import('@modelcontextprotocol/client'), client: Client) {
    const { connection } = this.entry;
    if (connection.kind === 'http')
      return new sdk.StreamableHTTPClientTransport(new URL(connection.url), {
        requestInit: { headers: { ...connection.headers } },
        // Whoever waits for the answer is told by the end of the connection.
        fetch: boundedFetch((why) => {
          this.#stderr = why;
          void client.close().catch(() => undefined);
        }),
      });
    return new GroupTransport(
      {
        command: connection.command,
        args: connection.args,
        cwd: this.#parts.cwd,
        env: { ...this.#parts.env, ...connection.env },
        onStderr: (text) => {
          this.#stderr = (this.#stderr + text).slice(-maxStderr);
        },
      },
      sdk,
    );
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
    this.#state = state;
    this.#parts.onState();
  }
}

async function listOffered(client: Client): Promise<Offered> {
  const has = client.getServerCapabilities();
  const [tools, prompts, resources] = await Promise.all([
    listTools(client),
    // A server that announces what it then does not list is one without.
    has?.prompts
      ? client.listPrompts().then(
          (listed) => listed.prompts,
          () => [],
        )
      : [],
    has?.resources
      ? client.listResources().then(
          (listed) => listed.resources,
          () => [],
        )
      : [],
  ]);
  return {
    tools,
    prompts: prompts.slice(0, maxTexts).filter(({ name }) => name.length <= maxNameChars),
    resources: resources.slice(0, maxTexts).filter(({ uri }) => uri.length <= maxUri),
  };
}

async function listTools(client: Client): Promise<readonly RemoteTool[]> {
  const { tools } = await client.listTools();
  const isBearable = ({ name, inputSchema }: RemoteTool): boolean =>
    name.length <= maxNameChars && JSON.stringify(inputSchema).length <= maxSchemaChars;
  return tools.slice(0, maxTools).filter(isBearable);
}
