import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposer.ts';
import { createEmitter } from '../../base/emitter.ts';
import type { Log } from '../../base/log.ts';
import type { Tool } from '../../tools/frame/tool.ts';
import type { LinkState } from './linkState.ts';
import { entryHash, mergeEntries, type ServerEntry } from './mcpConfig.ts';
import { type RemoteTexts, remoteTexts } from './remoteTexts.ts';
import { remoteTool } from './remoteTool.ts';
import { ServerLink } from './serverLink.ts';
import type { ServerTokens } from './serverTokens.ts';

export interface McpClientParts {
  readonly clock: Clock;
  readonly log: Log;
  /** The scrubbed environment of children. */
  readonly env: Readonly<Record<string, string>>;
  /** The real path of the project. */
  readonly cwd: string;
  readonly version: string;
  readonly tokens: ServerTokens;
  /** Takes known keys and tokens out of a text. */
  readonly redact: (text: string) => string;
  /** Whether the person has switched off the server of this name. */
  isOff(name: string): boolean;
  /** Whether the user trusts this entry of the project, by its content. Not asked for the user's own. */
  trusts(entry: ServerEntry, hash: string): Promise<boolean>;
}

export interface ServerView {
  readonly entry: ServerEntry;
  readonly state: LinkState | { readonly kind: 'untrusted' | 'off' };
  readonly tools: readonly string[];
  /** Absent where nothing was started. */
  readonly link?: ServerLink;
}

export interface McpClients {
  readonly servers: readonly ServerView[];
  /** The tools of all servers that are ready; of two with one name the first keeps it. */
  readonly tools: readonly Tool[];
  /** Prompts and resources of those that are ready. */
  readonly texts: RemoteTexts;
  /** Calls when servers or tools are others. */
  onChange(listen: () => void): Disposable;
  /** Uses these servers from now on: what is gone or changed is closed, what is new is opened. Ends when each is ready or failed once. */
  use(...lists: readonly (readonly ServerEntry[])[]): Promise<void>;
  close(): Promise<void>;
}

/** The MCP servers of the user and of a trusted project. Nothing is started before `use`. */
export function createMcpClients(parts: McpClientParts): McpClients {
  const changed = createEmitter<void>((error) => parts.log.warn('a listener of the MCP servers failed', error));
  const links = new Map<string, ServerLink>();
  /** Those that are named and not started. */
  let resting: readonly ServerView[] = [];
  // Signed in, perhaps in another project: it is tried anew. Signed out: it is not used on with what it still holds.
  const following = parts.tokens.onChange((url) => {
    for (const link of links.values()) {
      const { connection } = link.entry;
      if (connection.kind === 'http' && connection.url === url) void link.restart();
    }
  });

  function toolsOf(link: ServerLink): readonly Tool[] {
    return link.state.kind === 'ready' ? link.state.tools.map((tool) => remoteTool(tool, link)) : [];
  }

  function allTools(): readonly Tool[] {
    const byName = new Map<string, Tool>();
    for (const tool of [...links.values()].flatMap(toolsOf)) if (!byName.has(tool.name)) byName.set(tool.name, tool);
    return [...byName.values()];
  }

  return {
    get servers() {
      const linked = [...links.values()].map((link): ServerView => {
        return { entry: link.entry, state: link.state, tools: toolsOf(link).map(({ name }) => name), link };
      });
      return [...linked, ...resting];
    },
    get tools() {
      return allTools();
    },
    get texts() {
      return remoteTexts([...links.values()]);
    },
    onChange: (listen) => changed.on(listen),
    async use(...lists) {
      const wanted = new Map<string, ServerEntry>();
      const notStarted: ServerView[] = [];
      for (const entry of mergeEntries(...lists)) {
        const hash = entryHash(entry);
        if (parts.isOff(entry.name)) notStarted.push({ entry, state: { kind: 'off' }, tools: [] });
        else if (entry.origin === 'user' || (await parts.trusts(entry, hash).catch(() => false)))
          wanted.set(`${entry.origin} ${hash}`, entry);
        else notStarted.push({ entry, state: { kind: 'untrusted' }, tools: [] });
      }
      resting = notStarted;
      const closing: Promise<void>[] = [];
      for (const [key, link] of links) {
        if (wanted.has(key)) continue;
        links.delete(key);
        closing.push(link.close());
      }
      const opening: Promise<void>[] = [];
      for (const [key, entry] of wanted) {
        if (links.has(key)) continue;
        const link = new ServerLink(entry, { ...parts, onState: () => changed.emit() });
        links.set(key, link);
        opening.push(link.open());
      }
      await Promise.all([...closing, ...opening]);
      changed.emit();
    },
    async close() {
      const all = [...links.values()];
      links.clear();
      following.dispose();
      resting = [];
      await Promise.all(all.map((link) => link.close()));
    },
  };
}
