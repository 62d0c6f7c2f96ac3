import { join } from 'node:path';
import { fail, type Result } from '../../../shared/result.ts';
import { isoTime } from '../base/clock.ts';
import type { Disposable } from '../base/disposer.ts';
import { createEmitter } from '../base/emitter.ts';
import { shortId } from '../base/ids.ts';
import { projectMark } from '../base/projectMark.ts';
import type { LoadedSpecs } from '../bridge/cliSpec/loadSpecs.ts';
import { createCommandTool } from '../bridge/pseudoCli/commandTool.ts';
import { isPseudo } from '../bridge/pseudoCli/intercept.ts';
import { type CallPorts, interceptPseudo } from '../bridge/pseudoCli/interceptPseudo.ts';
import { createOwnTools, type OwnToolParts } from '../bridge/pseudoCli/ownTools.ts';
import type { CommandRunner, ParseOnly, PseudoCli, PseudoCommand } from '../bridge/pseudoCli/pseudoCli.ts';
import type { Hands, Tool } from '../tools/frame/tool.ts';
import { createToolset, type Toolset } from '../tools/frame/toolset.ts';
import { createBringHome } from '../tools/project/bringHome.ts';
import type { LoadedTools } from './loadSpecTools.ts';
import { notLonger } from './notLonger.ts';
import type { ProjectScope } from './projectDeps.ts';
import { createProjectDocuments } from './projectDocuments.ts';
import { createProjectServers, type ProjectServers, type ServerTexts } from './projectServers.ts';
import { createSpecLoader } from './specLoader.ts';
import { bridgeEnvironment, forgetProbes, hasOwnSpecs } from './specPlaces.ts';
import { withSessionTodos } from './todoStore.ts';

/** The tools of one project with all that the bridges add: the pseudo CLI, programs with specs, MCP servers. */
export interface ProjectTools {
  /** Those known now; another object once they have changed. */
  readonly toolset: Toolset;
  /** What a model or a client is told of the programs with specs; empty before they are loaded. */
  readonly instructions: string;
  /** The same for those of these tools alone. */
  instructionsFor(names: ReadonlySet<string>): string;
  /** Loads specs and (unless told otherwise) connects MCP servers; done once until something changed. Never throws. */
  load(what?: 'specs' | 'all'): Promise<void>;
  /**
   * In front of a turn: loads what the user or the project has, as far as that goes quickly. Where there is only what is shipped,
   * the first turn takes it as its files describe it, and starts nothing.
   */
  beforeTurn(): Promise<void>;
  /** Takes up what another process has registered, changed or removed since the specs were loaded. */
  lookAgain(): Promise<void>;
  /** The tool, loading what may bring it when it is not known yet. */
  find(name: string): Promise<Tool | undefined>;
  /** Reads a pseudo command with the tools that are known now, and those that specs describe. Starts nothing. */
  parse(command: PseudoCommand): Promise<ParseOnly>;
  /** `anew`: every program is asked again, whatever is remembered of it. */
  specs(anew?: boolean): Promise<LoadedSpecs>;
  /** Those specs with the tools they became, and the names that were changed or left out. */
  specTools(anew?: boolean): Promise<LoadedTools>;
  readonly servers: ProjectServers;
  /** Prompts and resources of servers. */
  readonly texts: ServerTexts;
  /** The scrubbed environment of programs that bridges start. */
  environment(): Readonly<Record<string, string>>;
  onChange(listen: () => void): Disposable;
  /** Trust or the specs on disk are others: what was loaded is loaded anew. */
  changed(): void;
  /** The levels of specs and their tools, or the user's servers, are others. */
  settingsChanged(): void;
  close(): Promise<void>;
}

const noTools: LoadedTools = {
  tools: [],
  commands: [],
  instructions: '',
  instructionsFor: () => '',
  warnings: [],
  loaded: { specs: [], errors: [], untrusted: [], notes: [] },
};

/** Starts and reads nothing by itself. */
export function createProjectTools(
  scope: ProjectScope,
  browser: OwnToolParts['browser'],
  builtIn: readonly Tool[],
): ProjectTools {
  const { ports, settings, threads } = scope;
  const changes = createEmitter<void>((error) => ports.log.warn('a listener of the tools failed', error));
  let closed = false;
  let turns = 0;

  const runner: CommandRunner = {
    isPseudo: (command) => isPseudo(command, settings().pseudoCli.prefixes),
    async run(command, provided) {
      if (!(await isBuiltIn(command))) await load('all');
      return (await gathered(toolset)).run(command, provided);
    },
  };
  const provide = pseudoPorts(scope);
  const own = [...interceptPseudo(builtIn, runner, provide), createCommandTool(runner, provide)];
  const configureServer = (name: string, config: unknown): Result<void> => {
    const configured = scope.configureServer(name, config);
    if (configured.ok) changed();
    return configured;
  };
  const unlisted = [...createOwnTools({ browser, threads, configureServer }), createBringHome(scope.lanes())];
  const ownToolset = withUnlisted(createToolset(own), unlisted);
  let toolset = ownToolset;
  const rebuild = (): void => {
    if (closed) return;
    toolset = withUnlisted(createToolset([...own, ...(specs.known?.tools ?? []), ...servers.tools]), unlisted);
    changes.emit();
  };
  const specs = createSpecLoader(scope, new Set([...own, ...unlisted].map(({ name }) => name)), rebuild);
  const servers = createProjectServers(scope, rebuild);

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
  const load = async (what: 'specs' | 'all' = 'all'): Promise<void> => {
    await Promise.all([specs.load(), what === 'all' ? servers.load() : undefined]);
  };
  const changed = (): void => {
    specs.changed();
    servers.changed();
  };
  const specTools = async (anew = false): Promise<LoadedTools> => {
    if (anew) {
      await specs.forget();
      forgetProbes(ports);
    }
    await specs.load();
    return specs.loaded ?? noTools;
  };

  return {
    get toolset() {
      return toolset;
    },
    get instructions() {
      return specs.known?.instructions ?? '';
    },
    instructionsFor: (names) => specs.known?.instructionsFor(names) ?? '',
    load,
    async beforeTurn() {
      turns += 1;
      const isPlain = turns === 1 && !hasOwnSpecs(scope) && !servers.isNamed();
      const brought = isPlain ? specs.describe() : Promise.all([specs.lookAgain(), load()]);
      await notLonger(ports.clock, brought);
    },
    lookAgain: () => specs.lookAgain(),
    async find(name) {
      await specs.lookAgain();
      if (toolset.find(name) === undefined) await load(name.startsWith('mcp_') ? 'all' : 'specs');
      return toolset.find(name);
    },
    async parse(command) {
      const isLoaded = specs.loaded !== undefined || (await isBuiltIn(command));
      const tools = isLoaded ? toolset : createToolset([...own, ...(await specs.describe()).tools]);
      return (await gathered(tools)).parseOnly(command);
    },
    environment: () => bridgeEnvironment(scope),
    specs: async (anew) => (await specTools(anew)).loaded,
    specTools,
    texts: servers.texts,
    servers,
    onChange: (listen) => changes.on(listen),
    changed,
    settingsChanged() {
      specs.settingsChanged();
      servers.changed();
    },
    async close() {
      closed = true;
      await Promise.all([servers.close(), specs.close()]);
    },
  };
}

/** What a pseudo command may use, with the hands of the call that it came in. */
function pseudoPorts({ ports, path, threads }: ProjectScope): (hands: Hands) => CallPorts {
  const documents = createProjectDocuments({
    get folder() {
      return join(ports.places.state, 'projects', projectMark(path));
    },
  });
  const todoIds = new Map<string, string>();
  return (hands) => ({
    callTool: async (name, input) => {
      if (hands.callTool) return hands.callTool(name, input);
      return { success: false, error: fail('UNAVAILABLE', 'Nothing can be called here.').error };
    },
    store: withSessionTodos(documents, hands, todoIds),
    root: path,
    now: () => isoTime(ports.clock),
    newId: shortId,
    threads,
    tell: (level, text) => hands.output(`${level === 'info' ? '' : `${level}: `}${text}\n`),
    signal: hands.signal,
  });
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
