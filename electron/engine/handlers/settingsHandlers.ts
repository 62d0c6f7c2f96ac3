import { modes, phases } from '../../../shared/model/phase.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Workbench } from '../hub.ts';
import type { ProjectSettingsView } from '../openProject/projectSettings.ts';
import type { ProjectTasks } from '../openProject/projectTasks.ts';
import type { UserConfig } from '../openProject/userConfig.ts';
import type { Models } from '../openSession/models.ts';
import { realFolder } from '../project/projects.ts';
import type { Handlers } from '../serve.ts';
import { exposes } from '../session/phases.ts';
import type { Toolset } from '../tools/toolset.ts';

export interface SettingsHandlerDeps {
  readonly config: UserConfig;
  readonly models: Models;
  readonly workbench: Workbench;
  readonly tasks: Pick<ProjectTasks, 'settingsChanged'>;
  /** What the settings of a project are worth now. */
  readonly project: (path: string) => Promise<ProjectSettingsView>;
  /** Fills in what the first window needs and nobody asked for before: the session list, the projects. */
  readonly ready: () => Promise<void>;
  readonly toolset: (project: string | undefined) => Promise<Result<Toolset>>;
}

type Methods =
  | 'workbench.watch'
  | 'settings.set'
  | 'settings.project'
  | 'tool.list'
  | Extract<keyof Handlers, `provider.${string}`>;

export function settingsHandlers(parts: SettingsHandlerDeps): Pick<Handlers, Methods> {
  const { config, models, workbench } = parts;
  const providersChanged = (done: Result<void>): Result<Record<string, never>> => {
    if (!done.ok) return done;
    workbench.emit({ type: 'providers.changed', providers: models.list(), active: models.defaults().provider });
    return ok({});
  };
  return {
    async 'workbench.watch'(_input, peer) {
      await parts.ready();
      peer.keep(
        'workbench',
        workbench.watch((envelope) => peer.post({ kind: 'workbench', envelope })),
      );
      return ok({ seq: workbench.seq, state: workbench.state });
    },
    async 'settings.set'({ settings }) {
      const saved = config.update((raw) => ({ ...raw, settings }));
      if (!saved.ok) return saved;
      workbench.emit({ type: 'settings.changed', settings: config.settings });
      parts.tasks.settingsChanged();
      return ok({});
    },
    async 'settings.project'({ project }) {
      const real = realFolder(project);
      if (!real.ok) return real;
      const { state, narrows, notices } = await parts.project(real.value);
      return ok({ state, narrows: { ...narrows }, notices: [...notices] });
    },
    'provider.save': async (provider) => providersChanged(models.save(provider)),
    'provider.activate': async ({ name }) => providersChanged(models.activate(name)),
    'provider.remove': async ({ name }) => providersChanged(models.remove(name)),
    'provider.detect': async () => ok({ found: [...(await models.detect())] }),
    'provider.models': async ({ name }) => {
      const found = await models.modelsOf(name);
      return found.ok ? ok({ models: [...found.value] }) : found;
    },
    async 'tool.list'({ project }) {
      const toolset = await parts.toolset(project);
      if (!toolset.ok) return fail(toolset.error.code, toolset.error.message);
      return ok({
        tools: toolset.value.tools.map((tool) => ({
          name: tool.name,
          category: tool.category,
          permission: tool.permission,
          about: tool.about,
          source: tool.source,
          ...(tool.pseudo === undefined ? {} : { pseudo: tool.pseudo }),
          phases: [
            ...phases.filter((phase) => exposes('phased', phase, tool)),
            ...modes.filter((mode) => mode !== 'phased' && exposes(mode, 'IDLE', tool)),
          ],
        })),
      });
    },
  };
}
