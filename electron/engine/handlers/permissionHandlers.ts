import { callsOf, liveCallsOf } from '../../../shared/model/reduce.ts';
import type { Rule } from '../../../shared/model/rule.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { backtest, type PastCall } from '../permission/rules/backtest.ts';
import { createRuleStore, type LoadedRules, type RuleStore } from '../permission/rules/ruleStore.ts';
import type { TimedGrant, TimedGrants } from '../permission/timedGrants.ts';
import type { Handlers } from '../serve.ts';
import { done, type HandlerDeps, whenDurable, withOpenedSession, withProject } from './handlerDeps.ts';

type Methods = Extract<keyof Handlers, `permission.${string}`>;

/** The rules that hold somewhere. */
interface Standing {
  readonly ruleStore: RuleStore;
  rules(): LoadedRules;
  /** What was allowed for a while. */
  readonly timed?: TimedGrants;
}

/** How many past sessions of a project a rule is tried on. */
const testedSessions = 50;

export function permissionHandlers(deps: HandlerDeps): Pick<Handlers, Methods> {
  const { openedSessions, openedProjects, ports } = deps;
  /** Without a project: the user's own. */
  const standing = async (project: string | undefined): Promise<Result<Standing>> => {
    if (project !== undefined) return openedProjects.open(project);
    const ruleStore = createRuleStore({ config: ports.places.config, extra: ports.rulesFile });
    return ok({ ruleStore, rules: () => ruleStore.load(() => false) });
  };
  return {
    'permission.answer': ({ session, call, alike = [], unanswered = false, ...answer }) =>
      withOpenedSession(deps, session, async ({ gate, questions, stages }, live) => {
        const calls = [call, ...alike];
        const isShown = (one: string): boolean =>
          liveCallsOf(live.session.state).some(({ id, state }) => id === one && state === 'waiting');
        for (const one of calls) if (live.agent.running && isShown(one)) await stages.untilAsked(one);
        const text = answer.decision === 'deny' ? undefined : (answer.answer ?? '');
        if (unanswered && answer.decision === 'deny') calls.forEach(gate.unanswerable);
        const given =
          (alike.length === 0 && questions.answer(call, text)) || unanswered
            ? ok({})
            : done(gate.answer(calls.map((one) => ({ ...answer, call: one }))));
        return given.ok ? whenDurable(live) : given;
      }),
    async 'permission.rules'({ project, session }) {
      const known = await standing(project);
      if (!known.ok) return known;
      const { rules, broken, notices } = known.value.rules();
      const granted = session === undefined ? [] : (openedSessions.of(session)?.gate.grants().rules ?? []);
      const timed = known.value.timed?.list() ?? [];
      return ok({ rules: [...rules, ...granted, ...timed.map(shownGrant)], problems: [...broken, ...notices] });
    },
    async 'permission.revoke'({ id, project, session }) {
      if (session !== undefined && openedSessions.of(session)?.gate.revoke(id)) return ok({});
      const known = await standing(project);
      if (!known.ok) return known;
      if (known.value.timed?.revoke(id)) return ok({});
      const revoked = known.value.ruleStore.revoke(id);
      if (!revoked.ok) return revoked;
      return revoked.value ? ok({}) : fail('VALIDATION_ERROR', 'There is no such rule any more.');
    },
    'permission.backtest': ({ rule, project }) =>
      withProject(deps, project, ({ path, ruleContext }) => {
        const { considered, matched } = backtest(rule, pastCalls(deps, path), ruleContext);
        return ok({ considered, matched });
      }),
  };
}

/** As lists show it, so that it can be taken back like a rule. It is none: it covers the project's own command only. */
function shownGrant({ id, tool, place, expiresAt }: TimedGrant): Rule {
  return { id, effect: 'allow', scope: 'session', match: { tool, path: place }, from: `until ${expiresAt}` };
}

function pastCalls({ sessions, openedSessions }: HandlerDeps, project: string): readonly PastCall[] {
  const own = sessions.list().filter((one) => one.project === project);
  return own.slice(0, testedSessions).flatMap(({ id }) => {
    const state = sessions.stateOf(id);
    return (state.ok ? callsOf(state.value) : []).flatMap(({ tool, level, intent, proposedAt, answer }) =>
      intent && intent.risk !== 'none'
        ? [{ tool, category: openedSessions.categoryOf(tool), level, intent, at: proposedAt, answer }]
        : [],
    );
  });
}
