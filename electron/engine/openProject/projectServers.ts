import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeError } from '../base/log.ts';
import type { McpClients, ServerView } from '../bridge/mcp/client.ts';
import { readServerEntries, type ServerEntry } from '../bridge/mcp/mcpConfig.ts';
import type { RemoteTexts } from '../bridge/mcp/remoteTexts.ts';
import type { Tool } from '../tools/frame/tool.ts';
import { notLonger } from './notLonger.ts';
import type { ProjectScope } from './projectDeps.ts';
import { bridgeEnvironment } from './specPlaces.ts';

const maxFileBytes = 1024 * 1024;

/** The MCP servers that one project uses. Nothing is read or started before the first `load`. Never throws. */
export interface ProjectServers {
  /** Whether anything names a server. Looks at one file name. */
  isNamed(): boolean;
  readonly views: readonly ServerView[];
  /** What is wrong with the lists that name them, in words. */
  readonly faults: readonly string[];
  /** As `load`, which ends here as soon as the servers are known, whatever their state. */
  begin(): Promise<void>;
  /** The tools of those that are ready. */
  readonly tools: readonly Tool[];
  readonly texts: ServerTexts;
  /** Connects what is named, once until something changed; ends when each server is ready or has failed once. */
  load(): Promise<void>;
  /** Trust or the list of servers is another: what was connected is looked at anew. */
  changed(): void;
  close(): Promise<void>;
}

/** Prompts and resources of the servers that are ready; undefined where none was started. */
export interface ServerTexts {
  /** Starts nothing. */
  known(): RemoteTexts | undefined;
  /** Starts what is named, and waits for it as long as a turn does. */
  ready(): Promise<RemoteTexts | undefined>;
}

/** `onChange`: there are other tools. */
export function createProjectServers(scope: ProjectScope, onChange: () => void): ProjectServers {
  const { ports, path, trusted, userConfig, tokens, redact } = scope;
  const file = join(path, '.mcp.json');
  let clients: McpClients | undefined;
  let loading: Promise<void> | undefined;
  let listed = '[]';
  const known = Promise.withResolvers<void>();
  let closed = false;
  let faults: readonly string[] = [];
  const hasUsers = (): boolean => {
    const servers = userConfig('mcpServers');
    return typeof servers === 'object' && servers !== null && Object.keys(servers).length > 0;
  };
  const isNamed = (): boolean => hasUsers() || lstatSync(file, { throwIfNoEntry: false }) !== undefined;

  const entries = (): readonly ServerEntry[] => {
    const env = bridgeEnvironment(scope);
    const sources: { readonly text: string; readonly origin: 'user' | 'project' }[] = [];
    if (hasUsers()) sources.push({ text: JSON.stringify({ mcpServers: userConfig('mcpServers') }), origin: 'user' });
    const text = readProjectFile(file);
    if (text !== undefined) sources.push({ text, origin: 'project' });
    const lists = sources.map(({ text: listed, origin }) => {
      const read = readServerEntries(listed, origin, env);
      return read.ok ? read.value : { entries: [], faults: [`${origin} MCP servers: ${read.error.message}`] };
    });
    faults = lists.flatMap((list) => list.faults);
    for (const fault of faults) ports.log.warn(fault);
    return lists.flatMap((list) => list.entries);
  };

  const follow = (tools: readonly Tool[]): void => {
    const names = JSON.stringify(tools.map(({ name, about }) => [name, about]));
    if (names === listed) return;
    listed = names;
    onChange();
  };
  const connect = async (): Promise<void> => {
    if (!isNamed() && clients === undefined) return;
    try {
      const wanted = entries();
      if (clients === undefined) {
        const { createMcpClients } = await import('../bridge/mcp/client.ts');
        if (closed) return; // it may have been set meanwhile
        const made = createMcpClients({
          clock: ports.clock,
          log: ports.log,
          env: bridgeEnvironment(scope),
          cwd: path,
          version: ports.version,
          tokens,
          redact,
          isOff: (name) => scope.settings().bridge.off.includes(name),
          trusts: trusted,
        });
        made.onChange(() => {
          known.resolve();
          follow(made.tools);
        });
        clients = made;
      }
      await clients.use(wanted);
    } catch (error) {
      ports.log.warn(`the MCP servers could not be read: ${describeError(error)}`);
    }
    follow(clients?.tools ?? []);
  };

  const load = (): Promise<void> => {
    loading ??= connect();
    return loading;
  };

  return {
    isNamed,
    get views() {
      return clients?.servers ?? [];
    },
    get faults() {
      return faults;
    },
    begin: () => Promise.race([known.promise, load()]),
    get tools() {
      return clients?.tools ?? [];
    },
    texts: {
      known: () => clients?.texts,
      async ready() {
        if (isNamed()) await notLonger(ports.clock, load());
        return clients?.texts;
      },
    },
    load,
    changed() {
      loading = loading?.then(connect);
    },
    async close() {
      closed = true;
      await clients?.close(); // ends what is still connecting
      await loading;
      await clients?.close();
      clients = undefined;
    },
  };
}

/** Only a plain file: a link of a project could lead to anything. */
function readProjectFile(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() && stats.size <= maxFileBytes ? readFileSync(path, 'utf8') : undefined;
}
