import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from '../../shared/contract/connection.ts';
import type { Envelope } from '../../shared/model/event.ts';
import type { SessionSummary, WorkbenchState } from '../../shared/model/workbench.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import type { Disposable } from './base/disposer.ts';
import { isRecord } from './base/jsonFile.ts';
import { createRedact, redactValue } from './base/redact.ts';
import { createServerTokens } from './bridge/mcp/serverTokens.ts';
import { createHandlers } from './handlers/all.ts';
import { cleanNow } from './handlers/storageHandlers.ts';
import { createHub, createWorkbench, type Hub, type Workbench } from './hub.ts';
import { createLanePort } from './lanes/lanePort.ts';
import { createLaneRecords } from './lanes/laneRecords.ts';
import { laneVariables, withShare } from './lanes/laneShare.ts';
import { createLanes } from './lanes/lanes.ts';
import { trustWithLanes } from './lanes/laneTrust.ts';
import { createSubagentLanes } from './lanes/subagentLanes.ts';
import type { ProviderSettings } from './model/providerSettings.ts';
import type { OpenedProject } from './openProject/openedProject.ts';
import { createOpenedProjects, type OpenedProjects } from './openProject/openedProjects.ts';
import type { ProjectDeps } from './openProject/projectDeps.ts';
import { createProjectSettings } from './openProject/projectSettings.ts';
import { createProjectTasks, type ProjectTasks } from './openProject/projectTasks.ts';
import { createSpecTrust } from './openProject/specTrust.ts';
import { openUserConfig, type UserConfig } from './openProject/userConfig.ts';
import { createThreads } from './openSession/createThreads.ts';
import { createModels, type Models } from './openSession/models.ts';
import { createOpenedSessions } from './openSession/openedSessions.ts';
import { type CallTool, createSingleCalls } from './openSession/singleCall.ts';
import { createSubagents } from './openSession/subagents.ts';
import type { EnginePorts } from './ports.ts';
import { createProjects, trustAsFound } from './project/projects.ts';
import { serve } from './serve.ts';
import { createSessions, type Sessions } from './session/sessions.ts';
import { cleanInBackground } from './storage/cleanInBackground.ts';
import type { Toolset } from './tools/frame/toolset.ts';

/** Everything without a window. The only place where the rooms are joined. */
export interface Engine {
  readonly hub: Hub;
  readonly sessions: Sessions;
  /** What was wrong with the user's configuration when the engine was made, in words with the remedy. */
  readonly problems: readonly string[];
  /** Answers one client until it goes. */
  connect(connection: Connection): Disposable;
  /** Answers another process of this user that may ask the person, and nothing else. */
  connectExternal(connection: Connection): Disposable;
  /** The tools of a project; those of specs and servers too when all are asked for or one is not built in. */
  toolset(project: string, name?: string): Promise<Result<Toolset>>;
  /** Its parts, for hosts that offer more than sessions. */
  project(path: string): Promise<Result<OpenedProject>>;
  /** One call through the same gate as any other, in no session. */
  readonly callTool: CallTool;
  /** Whether the model of a session (or of a new one) is configured. Errors: CONFIG_INVALID, SESSION_NOT_FOUND. */
  checkProvider(session: string | undefined): Promise<Result<void>>;
  /** The facts of an open session so far. */
  factsOf(session: string): readonly Envelope[];
  /** A value as it may be shown and kept: without the keys that are known. */
  redact<T>(value: T): T;
  /** Commands of calls, of the sessions that are open here. */
  readonly tasks: Pick<ProjectTasks, 'running' | 'begun' | 'rest'>;
  /** For hosts: removes what nothing can reach any more, a while after now, and again now and then. */
  cleanInBackground(): void;
  /**
   * Ends what runs, closes what is open; what waits for the person waits on after the next start. With `keepTasks` running
   * commands go on without the engine, and the next one finds them.
   */
  close(options?: { readonly keepTasks?: boolean | undefined }): Promise<void>;
}

function forgetTasks(tasks: ProjectTasks, session: string, log: EnginePorts['log']): void {
  tasks
    .forget(session)
    .catch((error: unknown) => log.warn('what a deleted session had started is not all gone', error));
}

function serverEdits(config: UserConfig): ProjectDeps['configureServer'] {
  return (name, entry) =>
    config.update((raw) => ({ ...raw, mcpServers: { ...recordOf(raw['mcpServers']), [name]: entry } }));
}

function tellListed(
  id: string,
  summary: SessionSummary | undefined,
  {
    workbench,
    tasks,
    log,
  }: { readonly workbench: Workbench; readonly tasks: ProjectTasks; readonly log: EnginePorts['log'] },
): void {
  workbench.emit(summary ? { type: 'session.listed', summary } : { type: 'session.unlisted', id });
  if (!summary) forgetTasks(tasks, id, log);
}

async function endIn(folder: string, tasks: ProjectTasks, openedProjects: OpenedProjects): Promise<void> {
  await tasks.end(folder);
  await openedProjects.end(folder);
}

/** Makes an engine over what the host provides. Starts nothing: no process, no index, no network. */
export function createEngine(ports: EnginePorts): Engine {
  const { clock, log, places } = ports;
  const config = openUserConfig(places.config);
  const models = createModels(ports, config);
  const tokens = createServerTokens(ports.secrets, log);
  const secrets = (): readonly string[] => [...models.secrets(), ...tokens.known()];
  const redact = createRedact(secrets, clock);
  const hub = createHub(log);
  const workbench = createWorkbench(startState(ports, config.settings), clock, log);
  const projects = createProjects(join(places.state, 'projects.json'), clock);
  const laneRecords = createLaneRecords(places.state);
  const trustOf = trustWithLanes(laneRecords, ports.trustWorkspace === true ? trustAsFound() : projects.trustOf);
  const settingsChanged = (): void => {
    tasks.settingsChanged();
    openedProjects.settingsChanged();
  };
  const refresh = (): void => {
    if (!config.refresh()) return;
    workbench.emit({ type: 'settings.changed', settings: config.settings });
    workbench.emit({ type: 'providers.changed', ...models.shown() });
    settingsChanged();
  };
  const settings = createProjectSettings({ user: () => config.settings, refresh, changed: settingsChanged });
  const tasks = createProjectTasks({
    ports,
    settings: (project) => withShare(laneRecords, project, settings.of(project)),
    secrets,
    variables: (project) => laneVariables(laneRecords, project),
  });
  const specTrust = createSpecTrust(join(places.state, 'specTrust.json'));
  const openedProjects = createOpenedProjects({
    ports,
    trustOf,
    settings,
    secrets,
    specTrust,
    tasks,
    userConfig: (key) => config.raw[key],
    configureServer: serverEdits(config),
    tokens,
    redact,
    threads: (project) => createThreads({ project, sessions, hub, config, redact, models }),
    lanes: (project) => createLanePort(laneDeps, project),
    isLane: (project) => laneRecords.ofFolder(project) !== undefined,
  });
  const subagentLanes = createSubagentLanes(() => lanes, log);
  const subagents = createSubagents({ sessions: () => sessions, lanes: subagentLanes, hub, settings, clock });
  const openedSessions = createOpenedSessions({ ports, settings, redact, models, openedProjects, tasks, subagents });
  const sessions: Sessions = createSessions({
    version: ports.version,
    folder: join(places.state, 'sessions'),
    clock,
    ...hub,
    redact,
    listed: (id, summary) => tellListed(id, summary, { workbench, tasks, log }),
    join: openedSessions.join,
  });
  const endAll = (folder: string) => endIn(folder, tasks, openedProjects).then(settingsChanged);
  const laneDeps = { records: laneRecords, open: openedProjects.open, clock, log, sessions, endAll };
  const lanes = createLanes(laneDeps);
  let cleaning: Disposable | undefined;
  const callTool = createSingleCalls({ ports, tasks, openedProjects });
  const handlers = createHandlers({
    callTool,
    ports,
    hub,
    workbench,
    config,
    models,
    projects,
    settings,
    specTrust,
    tasks,
    openedProjects,
    sessions,
    openedSessions,
    lanes,
    redact,
    tokens,
    samples: join(places.state, 'samples'),
    settingsChanged,
  });

  return {
    hub,
    sessions,
    problems: config.problems,
    connect: (connection) => serve(connection, handlers, { clock, log }),
    connectExternal: (connection) =>
      serve(connection, handlers, { clock, log, allows: (method) => method.startsWith('external.') }),
    toolset: async (path, name) => toolsetOf(await openedProjects.open(path), name),
    project: (path) => openedProjects.open(path),
    callTool,
    checkProvider: (session) => checkProvider(ports, models, sessions, session),
    factsOf: (session) => factsOf(sessions, session),
    redact: (value) => redactValue(value, redact),
    tasks,
    cleanInBackground() {
      cleaning ??= cleanInBackground(() => cleanNow({ ports, config, tasks }), ports);
    },
    async close({ keepTasks } = {}) {
      cleaning?.dispose();
      await sessions.close();
      await tasks.close(keepTasks);
      await openedProjects.close();
    },
  };
}

async function toolsetOf(project: Result<OpenedProject>, name: string | undefined): Promise<Result<Toolset>> {
  if (!project.ok) return project;
  const { bridge } = project.value;
  if (name === undefined) await bridge.load();
  else await bridge.find(name);
  return ok(bridge.toolset);
}

async function checkProvider(
  ports: EnginePorts,
  models: Pick<Models, 'check'>,
  sessions: Sessions,
  id: string | undefined,
): Promise<Result<void>> {
  const opened = id === undefined ? undefined : await sessions.open(id);
  if (opened?.ok === false) return opened;
  const kept = opened?.value.session.state;
  // The command line's word counts before what the session had.
  const provider = ports.provider.name ?? kept?.provider ?? '';
  const model = ports.provider.model ?? (provider === kept?.provider ? kept.model : '');
  const checked = models.check({ provider, model, effort: ports.provider.effort });
  return checked.ok ? checkScript(checked.value) : checked;
}

function factsOf(sessions: Sessions, session: string): readonly Envelope[] {
  const read = sessions.read(session);
  return read.ok ? read.value : [];
}

/** A script that cannot be played is no model. */
async function checkScript({ kind, script }: ProviderSettings): Promise<Result<void>> {
  if (kind !== 'scripted') return ok(undefined);
  const { loadScript } = await import('./model/scripted.ts');
  const loaded = await loadScript(script);
  return loaded.ok ? ok(undefined) : fail('CONFIG_INVALID', loaded.error.message);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function startState(ports: EnginePorts, settings: WorkbenchState['settings']): WorkbenchState {
  return {
    version: ports.version,
    home: ports.env['HOME'] ?? '',
    platform: ports.platform,
    settings,
    projects: [],
    sessions: {},
    providers: [],
    activeProvider: '',
    sandbox: sandboxHere(ports.platform),
    keys: ports.secrets.place,
  };
}

function sandboxHere(platform: NodeJS.Platform): WorkbenchState['sandbox'] {
  const has = (...paths: readonly string[]): boolean => paths.some((path) => existsSync(path));
  switch (platform) {
    case 'linux':
      return has('/usr/bin/bwrap', '/bin/bwrap')
        ? { available: true, why: 'bubblewrap is installed' }
        : { available: false, why: 'install bubblewrap to run commands in a sandbox' };
    case 'darwin':
      return has('/usr/bin/sandbox-exec')
        ? { available: true, why: 'sandbox-exec of macOS' }
        : { available: false, why: 'sandbox-exec of macOS is missing' };
    default:
      return { available: false, why: 'Vise has no sandbox for commands on this system' };
  }
}
