import { fail, ok } from '../../../shared/result.ts';
import { startPersonCall } from '../openSession/personCall.ts';
import type { Handlers } from '../serve.ts';
import { done, type HandlerDeps, withOpenedSession } from './handlerDeps.ts';

type Methods = Extract<keyof Handlers, `lane.${string}`>;

export function laneHandlers(deps: HandlerDeps): Pick<Handlers, Methods> {
  const { lanes, models, config, ports } = deps;
  /** In the lane, through its gate. A command that cannot be run is told, and the lane is there without it. */
  const setUp = async (session: string, command: string): Promise<readonly string[]> => {
    const started = await withOpenedSession(deps, session, (opened) =>
      startPersonCall(opened, 'start_background_task', { command }, ports.log),
    );
    return started.ok ? [] : [`"${command}" was not run: ${started.error.message}`];
  };
  return {
    async 'lane.plan'({ project, name }) {
      const plan = await lanes.plan(project, name);
      return plan.ok ? ok({ plan: plan.value }) : plan;
    },
    async 'lane.create'({ project, mode, provider, model, setup, ...wish }) {
      const usual = models.defaults(project);
      const made = await lanes.create({
        ...wish,
        home: project,
        mode: mode ?? config.settings.mode,
        provider: provider ?? usual.provider,
        model: model ?? (provider === undefined || provider === usual.provider ? usual.model : ''),
      });
      if (!made.ok) return made;
      const { lane, session, left, notes } = made.value;
      const { name, home, branch, folder } = lane;
      const faults = setup ? await setUp(session, setup) : [];
      return ok({ lane: { name, home, branch }, folder, session, left, notes: [...notes, ...faults] });
    },
    'lane.list': ({ project }) => lanes.list(project),
    async 'lane.files'({ project, picks }) {
      const files = await lanes.files(project, picks);
      return files.ok ? ok({ lanes: files.value }) : files;
    },
    async 'lane.bringHome'({ project, picks, leaveConflicts, merge = false }) {
      const home = lanes.homeOf(project);
      if (!home.ok) return home;
      const names = picks.map(({ lane }) => lane);
      const [only = ''] = names;
      if (merge && names.length !== 1)
        return fail('VALIDATION_ERROR', 'Merge one lane at a time: a merge takes all that its branch has.');
      const title = `${merge ? 'Merge' : 'Bring home'} ${names.join(', ')}`.slice(0, 200);
      const made = deps.sessions.create({ project: home.value, title, mode: 'direct', ...models.defaults(home.value) });
      if (!made.ok) return made;
      const { id } = made.value.session;
      const [tool, input] = merge
        ? (['git_merge', { branch: `vise/${only}` }] as const)
        : (['bring_home', { picks, leaveConflicts }] as const);
      const started = await withOpenedSession(deps, id, (opened) => startPersonCall(opened, tool, input, ports.log));
      if (started.ok) return ok({ session: id, call: started.value.call });
      await deps.sessions.delete(id);
      return started;
    },
    'lane.close': ({ project, name, discard = false }) => lanes.close(project, name, discard),
    'lane.letGo': async ({ project, name }) => done(await lanes.letGo(project, name)),
  };
}
