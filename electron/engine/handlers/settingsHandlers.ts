import { modes, phases } from '../../../shared/model/phase.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Disposable } from '../base/disposer.ts';
import { isForPerson } from '../openSession/personCall.ts';
import { realFolder } from '../project/projects.ts';
import type { Handlers } from '../serve.ts';
import { exposes } from '../session/phases.ts';
import { type HandlerDeps, withProject } from './handlerDeps.ts';

type Methods =
  | 'workbench.watch'
  | 'settings.set'
  | 'settings.project'
  | `tool.${'list' | 'input'}`
  | Extract<keyof Handlers, `provider.${string}`>;

export function settingsHandlers(deps: HandlerDeps): Pick<Handlers, Methods> {
  const { config, models, workbench, projects, sessions, settings: projectSettings } = deps;
  const announceProviders = (): void => workbench.emit({ type: 'providers.changed', ...models.shown() });
  const providersChanged = (changed: Result<void>): Result<Record<string, never>> => {
    if (!changed.ok) return changed;
    announceProviders();
    return ok({});
  };
  let following: Disposable | undefined;
  const announceProjects = async (): Promise<void> =>
    workbench.emit({ type: 'projects.changed', projects: await projects.list() });
  /** What the first window needs and nobody asked for before. */
  const fill = async (): Promise<void> => {
    await announceProjects();
    announceProviders();
    following ??= sessions.follow((id, summary) =>
      workbench.emit(summary ? { type: 'session.listed', summary } : { type: 'session.unlisted', id }),
    );
    for (const summary of sessions.list()) {
      workbench.emit({ type: 'session.listed', summary });
      // What waits for the person waits again, although nobody has opened the session yet.
      if (summary.state === 'waiting')
        await sessions
          .open(summary.id)
          .catch((error: unknown) => deps.ports.log.warn('a session was not opened', error));
    }
  };
  let filled: Promise<void> | undefined;
  return {
    async 'workbench.watch'(_input, peer) {
      // What fails now may work at the next try.
      filled ??= fill().catch((error: unknown) => {
        filled = undefined;
        throw error;
      });
      await filled;
      peer.keep(
        'workbench',
        workbench.watch((envelope) => peer.post({ kind: 'workbench', envelope })),
      );
      peer.keep(
        'projects',
        projects.follow(() => void announceProjects()),
      );
      return ok({ seq: workbench.seq, state: workbench.state });
    },
    async 'settings.set'({ settings }) {
      const saved = config.update((raw) => ({ ...raw, settings }));
      if (!saved.ok) return saved;
      workbench.emit({ type: 'settings.changed', settings: config.settings });
      deps.settingsChanged();
      return ok({});
    },
    async 'settings.project'({ project }) {
      const real = realFolder(project);
      if (!real.ok) return real;
      const { state, narrows, notices } = await projectSettings.read(real.value);
      return ok({ state, narrows, notices });
    },
    'provider.save': async (provider) => providersChanged(models.save(provider)),
    'provider.activate': async ({ name }) => providersChanged(models.activate(name)),
    'provider.remove': async ({ name }) => providersChanged(models.remove(name)),
    'provider.detect': async () => ok({ found: await models.detect() }),
    'provider.variables': async () => ok({ found: models.inEnvironment() }),
    'provider.test': (given) => models.tryOut(given),
    'provider.models': async ({ name }) => {
      const found = await models.modelsOf(name);
      return found.ok ? ok({ models: found.value }) : found;
    },
    'tool.list': ({ project }) =>
      withProject(deps, project, ({ toolset }) =>
        ok({
          tools: toolset.tools.map((tool) => ({
            name: tool.name,
            category: tool.category,
            permission: tool.permission,
            about: tool.about,
            source: tool.source,
            pseudo: tool.pseudo,
            byPerson: isForPerson(tool),
            phases: [
              ...phases.filter((phase) => exposes('phased', phase, tool)),
              ...modes.filter((mode) => mode !== 'phased' && exposes(mode, 'IDLE', tool)),
            ],
          })),
        }),
      ),
    'tool.input': ({ project, tool: name }) =>
      withProject(deps, project, ({ toolset }) => {
        const tool = toolset.find(name);
        if (!tool) return fail('TOOL_NOT_FOUND', `There is no tool "${name}".`);
        return ok({ about: tool.about, schema: tool.inputSchema() });
      }),
  };
}
