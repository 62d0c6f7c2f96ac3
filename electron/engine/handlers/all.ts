import { join } from 'node:path';
import { ok, type Result } from '../../../shared/result.ts';
import { createRedact } from '../base/redact.ts';
import type { Hub, Workbench } from '../hub.ts';
import type { OpenedProjects } from '../openProject/openedProjects.ts';
import type { ProjectSettings } from '../openProject/projectSettings.ts';
import type { ProjectTasks } from '../openProject/projectTasks.ts';
import type { SpecTrust } from '../openProject/specTrust.ts';
import type { UserConfig } from '../openProject/userConfig.ts';
import { singleCallContents } from '../openSession/externalClient.ts';
import type { Models } from '../openSession/models.ts';
import type { OpenedSessions } from '../openSession/openedSessions.ts';
import type { EnginePorts } from '../ports.ts';
import { type Projects, realFolder } from '../project/projects.ts';
import type { Handlers } from '../serve.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Look } from '../workspace/look.ts';
import { protectedPath } from '../workspace/protectedPath.ts';
import { changeHandlers } from './changeHandlers.ts';
import { externalHandlers } from './externalHandlers.ts';
import { folderHandlers } from './folderHandlers.ts';
import { permissionHandlers } from './permissionHandlers.ts';
import { projectHandlers } from './projectHandlers.ts';
import { sessionHandlers } from './sessionHandlers.ts';
import { settingsHandlers } from './settingsHandlers.ts';
import { specHandlers } from './specHandlers.ts';
import { taskHandlers } from './taskHandlers.ts';

export interface HandlerDeps {
  readonly ports: EnginePorts;
  readonly hub: Hub;
  readonly config: UserConfig;
  readonly models: Models;
  readonly projects: Projects;
  readonly settings: ProjectSettings;
  readonly store: OpenedProjects;
  readonly specTrust: SpecTrust;
  readonly doors: OpenedSessions;
  readonly workbench: Workbench;
  readonly sessions: Sessions;
  readonly tasks: ProjectTasks;
}

/** One thin function a row of the contract. */
export function createHandlers(parts: HandlerDeps): Handlers {
  const { ports, hub, config, models, projects, settings, store, specTrust, doors, workbench, sessions, tasks } = parts;
  const samples = join(ports.places.state, 'samples');
  /** A sample plays its own script where no provider is set up. */
  const usual = (project: string): { mode: typeof config.settings.mode; provider: string; model: string } => {
    const { provider, model } = models.defaults();
    const scripted = provider === '' && project.startsWith(samples);
    return {
      mode: config.settings.mode,
      provider: scripted ? 'scripted' : provider,
      model: scripted ? 'scripted' : model,
    };
  };
  const ruleContextOf = (project: string) => ({ project, protectedPath, platform: ports.platform });
  const settingsChanged = (): void => {
    tasks.settingsChanged();
    store.settingsChanged();
  };
  let filled: Promise<void> | undefined;

  const fill = async (): Promise<void> => {
    workbench.emit({ type: 'projects.changed', projects: await projects.list() });
    workbench.emit({ type: 'providers.changed', providers: models.list(), active: models.defaults().provider });
    for (const summary of sessions.list()) {
      workbench.emit({ type: 'session.listed', summary });
      // What waits for the person waits again, although nobody has opened the session yet.
      if (summary.state === 'waiting') await sessions.open(summary.id);
    }
  };

  const look = async (project: string): Promise<Result<Look>> => {
    const opened = await store.open(project);
    return opened.ok ? ok(opened.value.look) : opened;
  };

  return {
    ...sessionHandlers({
      sessions,
      hub,
      defaults: usual,
      project: realFolder,
      look,
      contextUse: (session) => doors.contextUse(session),
      recheck: (id) => doors.of(id)?.gate.recheck(),
      redact: createRedact(() => models.secrets(), ports.clock),
    }),
    ...permissionHandlers({
      sessions,
      doors: (id) => doors.of(id),
      async rules(project) {
        const path = project ?? process.cwd();
        const opened = await store.open(path);
        if (!opened.ok) throw new Error(opened.error.message);
        return { store: opened.value.ruleStore, loaded: opened.value.rules(), timed: opened.value.timed };
      },
      ruleContext: ruleContextOf,
      categoryOf: (tool) => doors.categoryOf(tool),
    }),
    ...changeHandlers({
      sessions,
      doors: (id) => doors.of(id),
      async files({ session }) {
        const door = await doors.open(session);
        if (!door.ok) return door;
        const { contents, hands, project } = door.value;
        return ok({ contents, hands, look: project.look });
      },
    }),
    ...folderHandlers({ look }),
    ...projectHandlers({
      projects,
      workbench,
      resources: ports.resources,
      samples,
      changed: (project) => store.changed(project),
    }),
    ...settingsHandlers({
      config,
      models,
      workbench,
      project: (path) => settings.read(path),
      tasks: { settingsChanged },
      ready() {
        filled ??= fill();
        return filled;
      },
      async toolset(project) {
        const opened = await store.open(project ?? ports.places.config);
        return opened.ok ? ok(opened.value.toolset) : opened;
      },
    }),
    ...specHandlers({ ports, config, workbench, specTrust, settingsChanged, open: (project) => store.open(project) }),
    ...externalHandlers({ sessions, doors, contents: singleCallContents(ports.places.state), defaults: usual }),
    ...taskHandlers({ sessions, tasks }),
  };
}
