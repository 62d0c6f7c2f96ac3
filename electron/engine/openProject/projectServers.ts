import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeError } from '../base/log.ts';
import type { McpClients } from '../bridge/mcp/client.ts';
import type { ServerEntry } from '../bridge/mcp/mcpConfig.ts';
import { bridgeEnvironment } from './loadSpecTools.ts';
import type { ProjectScope } from './projectDeps.ts';

const maxFileBytes = 1024 * 1024;

/** The MCP servers that one project uses. Nothing is read or started before the first `connect`. */
export interface ProjectServers {
  /** Whether anything names a server. Looks at one file name. */
  isNamed(): boolean;
  /** Connects what is named now; ends when each server is ready or has failed once. Undefined: there is none. */
  connect(onChange: (clients: McpClients) => void): Promise<McpClients | undefined>;
  close(): Promise<void>;
}

export function createProjectServers(scope: ProjectScope): ProjectServers {
  const { ports, path, trusted, userServers } = scope;
  const file = join(path, '.mcp.json');
  let clients: McpClients | undefined;
  let closed = false;
  const hasUsers = (): boolean => {
    const servers = userServers();
    return typeof servers === 'object' && servers !== null && Object.keys(servers).length > 0;
  };
  const isNamed = (): boolean => hasUsers() || lstatSync(file, { throwIfNoEntry: false }) !== undefined;

  const entries = async (): Promise<readonly ServerEntry[]> => {
    const { readServerEntries } = await import('../bridge/mcp/mcpConfig.ts');
    const env = bridgeEnvironment(scope);
    const sources: { readonly text: string; readonly origin: 'user' | 'project' }[] = [];
    if (hasUsers()) sources.push({ text: JSON.stringify({ mcpServers: userServers() }), origin: 'user' });
    const text = readProjectFile(file);
    if (text !== undefined) sources.push({ text, origin: 'project' });
    return sources.flatMap(({ text: listed, origin }) => {
      const read = readServerEntries(listed, origin, env);
      if (!read.ok) ports.log.warn(`${origin} MCP servers: ${read.error.message}`);
      else for (const fault of read.value.faults) ports.log.warn(fault);
      return read.ok ? read.value.entries : [];
    });
  };

  return {
    isNamed,
    async connect(onChange) {
      if (!isNamed() && clients === undefined) return undefined;
      try {
        const wanted = await entries();
        if (closed) return undefined;
        if (clients === undefined) {
          const { createMcpClients } = await import('../bridge/mcp/client.ts');
          if (closed) return undefined; // it may have been set meanwhile
          const made = createMcpClients({
            clock: ports.clock,
            log: ports.log,
            env: bridgeEnvironment(scope),
            cwd: path,
            version: ports.version,
            trusts: trusted,
          });
          made.onChange(() => onChange(made));
          clients = made;
        }
        await clients.use(wanted);
      } catch (error) {
        ports.log.warn(`the MCP servers could not be read: ${describeError(error)}`);
      }
      return clients;
    },
    async close() {
      closed = true;
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
