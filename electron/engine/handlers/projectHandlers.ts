import { ok, type Result } from '../../../shared/result.ts';
import type { Workbench } from '../hub.ts';
import { type Projects, realFolder } from '../project/projects.ts';
import { copySample } from '../project/sample.ts';
import { projectRisks } from '../project/trust.ts';
import type { Handlers } from '../serve.ts';

export interface ProjectHandlerDeps {
  readonly projects: Projects;
  readonly workbench: Workbench;
  readonly resources: string;
  /** Where copies of the sample project are made. */
  readonly samples: string;
  /** Something of a project changed that its tools depend on (trust). */
  readonly changed: (project: string) => void;
}

type Methods = 'project.open' | 'project.forget' | 'project.risks' | 'project.trust' | 'project.sample';

export function projectHandlers(parts: ProjectHandlerDeps): Pick<Handlers, Methods> {
  const { projects, workbench } = parts;
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
      return ok({ hash, risks: [...risks] });
    },
    async 'project.trust'({ path, trust, hash }) {
      const done: Result<void> = await projects.trust(path, trust, hash);
      if (!done.ok) return done;
      parts.changed(path);
      await announce();
      return ok({});
    },
    async 'project.sample'() {
      const copied = await copySample(parts.resources, parts.samples);
      return copied.ok ? opened(copied.value, true) : copied;
    },
  };
}
