import { ok } from '../../../shared/result.ts';
import { realFolder } from '../project/projects.ts';
import { copySample } from '../project/sample.ts';
import { projectRisks } from '../project/trust.ts';
import type { Handlers } from '../serve.ts';
import { type HandlerDeps, withProject } from './handlerDeps.ts';

type Methods = 'project.open' | 'project.forget' | 'project.risks' | 'project.trust' | 'project.sample' | 'prompt.list';

export function projectHandlers(deps: HandlerDeps): Pick<Handlers, Methods> {
  const { projects, workbench, openedProjects, lanes, ports, samples } = deps;
  const announce = async (): Promise<void> =>
    workbench.emit({ type: 'projects.changed', projects: await projects.list() });
  const opened = async (path: string, sample?: boolean): ReturnType<Handlers['project.open']> => {
    const project = await projects.open(path, sample);
    if (!project.ok) return project;
    await announce();
    return ok({ project: project.value });
  };
  return {
    'project.open': ({ path }) => opened(path),
    async 'project.forget'({ path }) {
      projects.forget(path);
      await announce();
      return ok({});
    },
    async 'project.risks'({ path }) {
      const real = realFolder(path);
      if (!real.ok) return real;
      const { hash, risks } = await projectRisks(real.value);
      return ok({ hash, risks });
    },
    async 'project.trust'({ path, trust, hash }) {
      const done = await projects.trust(path, trust, hash);
      if (!done.ok) return done;
      for (const folder of [path, ...lanes.foldersOf(path)]) openedProjects.changed(folder);
      await announce();
      return ok({});
    },
    'prompt.list': ({ project: path }) =>
      withProject(deps, path, async ({ prompts, bridge }) => {
        const [found, texts] = await Promise.all([prompts.list(), bridge.texts.ready()]);
        const theirs = texts?.prompts.map((prompt) => ({ kind: 'command' as const, ...prompt })) ?? [];
        const own = found.map(({ kind, name, about, hint, origin }) => ({ kind, name, about, hint, origin }));
        return ok({ prompts: [...own, ...theirs] });
      }),
    async 'project.sample'() {
      const copied = await copySample(ports.resources, samples);
      return copied.ok ? opened(copied.value, true) : copied;
    },
  };
}
