import { join } from 'node:path';
import { fail, type Result } from '../../../shared/result.ts';
import { isoTime } from '../base/clock.ts';
import type { Disposable } from '../base/disposer.ts';
import { createEmitter } from '../base/emitter.ts';
import { shortId } from '../base/ids.ts';
import { projectMark } from '../base/projectMark.ts';
import type { LoadedSpecs } from '../bridge/cliSpec/loadSpecs.ts';
import type { McpClients, ServerView } from '../bridge/mcp/client.ts';
import { createCommandTool } from '../bridge/pseudoCli/commandTool.ts';
import { isPseudo } from '../bridge/pseudoCli/intercept.ts';
import { interceptPseudo, type LentPorts } from '../bridge/pseudoCli/interceptPseudo.ts';
import { createOwnTools, type OwnToolParts } from '../bridge/pseudoCli/ownTools.ts';
import type { CommandRunner, ParseOnly, PseudoCli, PseudoCommand } from '../bridge/pseudoCli/pseudoCli.ts';
import type { Threads } from '../bridge/pseudoCli/threads.ts';
import type { Hands, Tool } from '../tools/tool.ts';
import { createToolset, type Toolset } from '../tools/toolset.ts';
import {
  bridgeEnvironment,
  forgetProbes,
  hasOwnSpecs,
  type LoadedTools,
  loadSpecTools,
  makeSpecTools,
} from './loadSpecTools.ts';
import { createProjectDocuments } from './projectDocuments.ts';
import { createProjectServers, type ProjectServersDeps } from './projectServers.ts';

/** The tools of one project with all that the bridges add: the pseudo CLI, programs with specs, MCP servers. */
export interface ProjectTools {
  /** Those known now; another object once they have changed. */
  readonly toolset: Toolset;
  /** What a model or a client is told of the programs with specs; empty before they are loaded. */
  readonly instructions: string;
  /** Loads specs and (unless told otherwise) connects MCP servers; done once until something changed. Never throws. */
  load(what?: 'specs' | 'all'): Promise<void>;
  /** In front of a turn: loads what the user or the project has of its own, as far as that goes quickly. The first turn never waits for what is shipped. */
  beforeTurn(): Promise<void>;
  /** The tool, loading what may bring it when it is not known yet. */
  find(name: string): Promise<Tool | undefined>;
  /** Reads a pseudo command with the tools that are known now, and those that specs describe. Starts nothing. */
  parse(command: PseudoCommand): Promise<ParseOnly>;
  /** `anew`: every program is asked again, whatever is remembered of it. */
  specs(anew?: boolean): Promise<LoadedSpecs>;
  /** Those specs with the tools they became, and the names that were changed or left out. */
  specTools(anew?: boolean): Promise<LoadedTools>;
  servers(): Promise<readonly ServerView[]>;
  /** The scrubbed environment of programs that bridges start. */
  environment(): Readonly<Record<string, string>>;
  onChange(listen: () => void): Disposable;
  /** Trust or the specs on disk are others: what was loaded is loaded anew. */
  changed(): void;
  /** The levels that were set for specs and their tools are others. */
  settingsChanged(): void;
  close(): Promise<void>;
}

export interface ProjectToolsDeps extends ProjectServersDeps {
  readonly browser: OwnToolParts['browser'];
  /** The sessions of a project. */
  readonly threads: (project: string) => Threads;
  /** Adds or replaces an MCP server of the user. */
  readonly configureServer: (name: string, config: unknown) => Result<void>;
}

/** A turn waits at most this long for specs and servers; they join a later turn then. */
const maxTurnWaitMs = 3_000;

const noTools: LoadedTools = {
  tools: [],
  commands: [],
  instructions: '',
  warnings: [],
  loaded: { specs: [], errors: [], untrusted: [], notes: [] },
};

/** Starts and reads nothing by itself. */
export function createProjectTools(parts: ProjectToolsDeps, builtIn: readonly Tool[]): ProjectTools {
  const { ports, project, settings } = parts;
  const documents = createProjectDocuments({
    get folder() {
      return join(ports.places.state, 'projects', projectMark(project));
    },
  });
  const changes = createEmitter<void>((error) => ports.log.warn('a listener of the tools failed', error));
  const servers = createProjectServers(parts);
  const stop = new AbortController();
  let turns = 0;
  let closed = false;
  let bridged: LoadedTools | undefined;
  let remote: readonly Tool[] = [];
  let views: readonly ServerView[] = [];
  let specsLoading: Promise<void> | undefined;
  let describing: Promise<Toolset> | undefined;
  let serversLoading: Promise<void> | undefined;

  const threads = (): Threads => parts.threads(project);
  const configureServer = (name: string, config: unknown): Result<void> => {
    const done = parts.configureServer(name, config);
    if (done.ok) changed();
    return done;
  };
  const lend = (hands: Hands): LentPorts => ({
    callTool: async (name, input) => {
      if (hands.callTool) return hands.callTool(name, input);
      return { success: false, error: fail('UNAVAILABLE', 'Nothing can be called here.').error };
    },
    store: documents,
    root: project,
    now: () => isoTime(ports.clock),
    newId: shortId,
    threads,
    tell: (level, text) => hands.output(`${level === 'info' ? '' : `${level}: `}${text}\n`),
    signal: hands.signal,
  });
  const runner: CommandRunner = {
    isPseudo: (command) => isPseudo(command, settings().pseudoCli.prefixes),
    async run(command, lent) {
      if (!(await isBuiltIn(command))) await load('all');
      return (await gathered(toolset)).run(command, lent);
    },
  };
  const own = [...interceptPseudo(builtIn, runner, lend), createCommandTool(runner, lend)];
  const unlisted = createOwnTools({ browser: parts.browser, threads, configureServer });
  const ownNames = new Set([...own, ...unlisted].map(({ name }) => name));
  let toolset = withUnlisted(createToolset(own), unlisted);
  const ownToolset = toolset;

  // One registry a toolset: making it asks each tool for its schema.
  const made = new WeakMap<Toolset, Promise<PseudoCli>>();
  const gathered = (tools: Toolset): Promise<PseudoCli> => {
    const known = made.get(tools) ?? gather(tools.tools, settings().pseudoCli.prefixes);
    made.set(tools, known);
    return known;
  };
  /** Whether a command means a module that needs neither specs nor servers. */
  const isBuiltIn = async (command: PseudoCommand): Promise<boolean> => {
    const words = typeof command === 'string' ? command.trim().split(/\s+/, 3) : [command.command, ...command.args];
    const [, module = '', action = ''] = words;
    if (module === 'mcp' || (module === 'search' && action === 'mcp-tool')) return false;
    return (await gathered(ownToolset)).registry.modules.has(module);
  };

  const rebuild = (): void => {
    if (closed) return;
    toolset = withUnlisted(createToolset([...own, ...(bridged?.tools ?? []), ...remote]), unlisted);
    changes.emit();
  };
  const loadSpecs = async (): Promise<void> => {
    const had = bridged !== undefined && bridged.tools.length > 0;
    try {
      bridged = await loadSpecTools(parts, ownNames, stop.signal);
    } catch (error) {
      ports.log.warn('specs could not be loaded', error);
      return;
    }
    for (const { message, specPath } of bridged.loaded.errors) ports.log.warn(`${specPath}: ${message}`);
    if (bridged.tools.length > 0 || had) rebuild();
  };
  const follow = (clients: McpClients): void => {
    views = clients.servers;
    const next = clients.tools;
    if (names(next) === names(remote)) return;
    remote = next;
    rebuild();
  };
  const connect = async (): Promise<void> => {
    const clients = await servers.connect(follow);
    if (clients) follow(clients);
  };
  const load = async (what: 'specs' | 'all' = 'all'): Promise<void> => {
    specsLoading ??= loadSpecs();
    if (what === 'all') serversLoading ??= connect();
    await Promise.all([specsLoading, what === 'all' ? serversLoading : undefined]);
  };

  const loadedTools = async (anew = false): Promise<LoadedTools> => {
    if (anew) {
      await specsLoading;
      forgetProbes(ports);
      specsLoading = undefined;
    }
    await load('specs');
    return bridged ?? noTools;
  };
  const remake = async (): Promise<void> => {
    if (bridged === undefined) return;
    bridged = await makeSpecTools(bridged.loaded, parts, ownNames);
    rebuild();
  };

  /** With the tools of specs as far as their files tell of them. */
  const described = async (): Promise<Toolset> => {
    if (bridged !== undefined) return toolset;
    describing ??= loadSpecTools(parts, ownNames, stop.signal, true).then(({ tools }) =>
      createToolset([...own, ...tools]),
    );
    return describing;
  };
  const changed = (): void => {
    describing = undefined;
    if (specsLoading === undefined && serversLoading === undefined) return;
    const withServers = serversLoading !== undefined;
    const before = Promise.all([specsLoading, serversLoading]);
    specsLoading = before.then(loadSpecs);
    if (withServers) serversLoading = before.then(connect);
  };

  return {
    get toolset() {
      return toolset;
    },
    get instructions() {
      return bridged?.instructions ?? '';
    },
    load,
    async beforeTurn() {
      turns += 1;
      if (turns === 1 && !hasOwnSpecs(ports, project) && !servers.isNamed()) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = ports.clock.after(maxTurnWaitMs, resolve);
      await Promise.race([load(), promise]);
      timer.dispose();
    },
    async find(name) {
      if (toolset.find(name) === undefined) await load(name.startsWith('mcp_') ? 'all' : 'specs');
      return toolset.find(name);
    },
    parse: async (command) =>
      (await gathered((await isBuiltIn(command)) ? toolset : await described())).parseOnly(command),
    environment: () => bridgeEnvironment(parts),
    specs: async (anew) => (await loadedTools(anew)).loaded,
    specTools: loadedTools,
    async servers() {
      await load();
      return views;
    },
    onChange: (listen) => changes.on(listen),
    changed,
    settingsChanged() {
      if (specsLoading !== undefined) specsLoading = specsLoading.then(remake);
    },
    async close() {
      closed = true;
      stop.abort();
      await servers.close(); // ends what is still connecting
      await Promise.all([specsLoading, serversLoading]);
      await servers.close();
    },
  };
}

/** Tools that are found by name and stand in no list. */
function withUnlisted(listed: Toolset, unlisted: readonly Tool[]): Toolset {
  const more = createToolset(unlisted);
  return { tools: listed.tools, nearest: listed.nearest, find: (name) => listed.find(name) ?? more.find(name) };
}

async function gather(tools: readonly Tool[], prefixes: readonly string[]): Promise<PseudoCli> {
  const [{ createPseudoCli }, { allActions }] = await Promise.all([
    import('../bridge/pseudoCli/pseudoCli.ts'),
    import('../bridge/pseudoCli/actions/all.ts'),
  ]);
  return createPseudoCli(allActions(tools), prefixes);
}

function names(tools: readonly Tool[]): string {
  return JSON.stringify(tools.map(({ name, about }) => [name, about]));
}
