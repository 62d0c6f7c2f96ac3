import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from '../../shared/contract/connection.ts';
import type { Envelope } from '../../shared/model/event.ts';
import type { WorkbenchState } from '../../shared/model/workbench.ts';
import type { Result } from '../../shared/result.ts';
import type { Disposable } from './base/disposer.ts';
import { isRecord } from './base/jsonFile.ts';
import { createRedact, redactValue } from './base/redact.ts';
import { createHandlers } from './handlers/all.ts';
import { createHub, createWorkbench, type Hub } from './hub.ts';
import type { OpenedProject } from './openProject/openedProject.ts';
import { createOpenedProjects } from './openProject/openedProjects.ts';
import { createProjectSettings } from './openProject/projectSettings.ts';
import { createProjectTasks } from './openProject/projectTasks.ts';
import { createSpecTrust } from './openProject/specTrust.ts';
import { openUserConfig } from './openProject/userConfig.ts';
import { createModels } from './openSession/models.ts';
import { createOpenedSessions } from './openSession/openedSessions.ts';
import { type CallTool, callToolOnce } from './openSession/singleCall.ts';
import { createThreads } from './openSession/threads.ts';
import type { EnginePorts } from './ports.ts';
import { createProjects } from './project/projects.ts';
import { serve } from './serve.ts';
import { createSessions, type Sessions } from './session/sessions.ts';
import type { Toolset } from './tools/toolset.ts';

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
  /** Resolves when no task of the session runs or waits. */
  tasksRest(session: string): Promise<void>;
  /** Ends what runs, closes what is open; what waits for the person waits on after the next start. */
  close(): Promise<void>;
}

/** Makes an engine over what the host lends. Starts nothing: no process, no index, no network. */
export function createEngine(ports: EnginePorts): Engine {
  const { clock, log, places } = ports;
  const hub = createHub(log);
  const config = openUserConfig(places.config);
  const models = createModels(ports, config);
  const projects = createProjects(join(places.state, 'projects.json'), clock);
  const redact = createRedact(() => models.secrets(), clock);
  const trustOf: typeof projects.trustOf = (path) =>
    ports.trustWorkspace === true ? Promise.resolve('trusted') : projects.trustOf(path);
  const settings = createProjectSettings({
    user: () => config.settings,
    trustOf,
    changed() {
      tasks.settingsChanged();
      store.settingsChanged();
    },
  });
  const tasks = createProjectTasks({
    ports,
    settings: (project) => settings.of(project),
    secrets: () => models.secrets(),
  });
  const specTrust = createSpecTrust(join(places.state, 'specTrust.json'));
  const store = createOpenedProjects(
    {
      ports,
      trustOf,
      settings,
      secrets: () => models.secrets(),
      specTrust,
      userServers: () => config.raw['mcpServers'],
      configureServer: (name, entry) =>
        config.update((raw) => ({ ...raw, mcpServers: { ...recordOf(raw['mcpServers']), [name]: entry } })),
      threads: (project) =>
        createThreads({ project, sessions, hub, config, redact, defaults: () => models.defaults() }),
    },
    tasks,
  );
  const doors = createOpenedSessions({ ports, settings, redact, models, store, tasks });
  const workbench = createWorkbench(startState(ports, config.settings), clock, log);
  const sessions: Sessions = createSessions({
    folder: join(places.state, 'sessions'),
    clock,
    publish: hub.publish,
    redact,
    listed: (id, summary) =>
      workbench.emit(summary ? { type: 'session.listed', summary } : { type: 'session.unlisted', id }),
    join: doors.join,
  });
  const handlers = createHandlers({
    ports,
    hub,
    config,
    models,
    projects,
    settings,
    store,
    specTrust,
    doors,
    workbench,
    sessions,
    tasks,
  });

  return {
    hub,
    sessions,
    problems: config.problems,
    connect: (connection) => serve(connection, handlers, { clock, log }),
    connectExternal: (connection) =>
      serve(connection, handlers, { clock, log, allows: (method) => method.startsWith('external.') }),
    async toolset(project, name) {
      const parts = await store.open(project);
      if (!parts.ok) return parts;
      const { bridge } = parts.value;
      if (name === undefined) await bridge.load();
      else await bridge.find(name);
      return { ok: true, value: bridge.toolset };
    },
    project: (path) => store.open(path),
    callTool: (project, name, input, signal, hears) =>
      callToolOnce({ ports, store, tasks }, project, name, input, signal, hears),
    async checkProvider(id) {
      if (id === undefined) {
        const checked = models.check({ provider: '', model: '' });
        return checked.ok ? { ok: true, value: undefined } : checked;
      }
      const opened = await sessions.open(id);
      if (!opened.ok) return opened;
      const { provider, model } = opened.value.session.state;
      const checked = models.check({ provider, model });
      return checked.ok ? { ok: true, value: undefined } : checked;
    },
    factsOf(session) {
      const read = sessions.read(session);
      return read.ok ? read.value : [];
    },
    redact: (value) => redactValue(value, redact),
    tasksRest: (session) => tasks.rest(session),
    async close() {
      await sessions.close();
      await tasks.close();
      await store.close();
    },
  };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function startState(ports: EnginePorts, settings: WorkbenchState['settings']): WorkbenchState {
  const sandboxProgram =
    ports.platform === 'linux' && ['/usr/bin/bwrap', '/bin/bwrap'].some((path) => existsSync(path));
  return {
    version: ports.version,
    home: ports.env['HOME'] ?? '',
    platform: ports.platform,
    settings,
    projects: [],
    sessions: {},
    providers: [],
    activeProvider: '',
    sandbox: sandboxProgram
      ? { available: true, why: 'bubblewrap is installed' }
      : {
          available: false,
          why:
            ports.platform === 'linux'
              ? 'install bubblewrap to run commands in a sandbox'
              : 'not available on this system yet',
        },
  };
}
