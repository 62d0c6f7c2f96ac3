import { callsOf, liveCallsOf } from '../../../shared/model/reduce.ts';
import type { Rule } from '../../../shared/model/rule.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { CallStages } from '../edits/callStages.ts';
import type { RuleContext } from '../permission/evaluate.ts';
import type { Gate } from '../permission/gate.ts';
import type { PastCall } from '../permission/rules/backtest.ts';
import { backtest } from '../permission/rules/backtest.ts';
import type { LoadedRules, RuleStore } from '../permission/rules/ruleStore.ts';
import type { TimedGrant, TimedGrants } from '../permission/timedGrants.ts';
import type { Handlers } from '../serve.ts';
import type { Questions } from '../session/questions.ts';
import { replay } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';

export interface PermissionHandlerDeps {
  readonly sessions: Sessions;
  /** What waits in an open session, and who lets it through. */
  readonly doors: (
    session: string,
  ) => { readonly gate: Gate; readonly questions: Questions; readonly stages: CallStages } | undefined;
  readonly rules: (project: string | undefined) => Promise<{
    readonly store: RuleStore;
    readonly loaded: LoadedRules;
    readonly timed: TimedGrants;
  }>;
  readonly ruleContext: (project: string) => RuleContext;
  /** The category of a tool by its name, for past calls. */
  readonly categoryOf: (tool: string) => string;
}

type Methods = Extract<keyof Handlers, `permission.${string}`>;

/** How many past sessions of a project a rule is tried on. */
const testedSessions = 50;

export function permissionHandlers(parts: PermissionHandlerDeps): Pick<Handlers, Methods> {
  const { sessions, doors } = parts;
  return {
    async 'permission.answer'({ session, call, ...answer }) {
      const open = await sessions.open(session);
      if (!open.ok) return open;
      const door = doors(session);
      if (!door) return fail('SESSION_NOT_FOUND', `The session ${session} is not open.`);
      const isShown = liveCallsOf(open.value.session.state).some(({ id, state }) => id === call && state === 'waiting');
      if (isShown && open.value.agent.running) await door.stages.untilAsked(call);
      const text = answer.decision === 'deny' ? undefined : (answer.answer ?? '');
      if (door.questions.answer(call, text)) return ok({});
      const answered = door.gate.answer(call, answer);
      return answered.ok ? ok({}) : answered;
    },
    async 'permission.rules'({ project, session }) {
      const { loaded, timed } = await parts.rules(project);
      const granted = session === undefined ? [] : (doors(session)?.gate.grants().rules ?? []);
      return ok({
        rules: [...loaded.rules, ...granted, ...timed.list().map(shownGrant)],
        problems: [...loaded.broken, ...loaded.notices],
      });
    },
    async 'permission.revoke'({ id, project, session }) {
      if (session !== undefined && doors(session)?.gate.revoke(id)) return ok({});
      const { store, timed } = await parts.rules(project);
      if (timed.revoke(id)) return ok({});
      const revoked = store.revoke(id);
      if (!revoked.ok) return revoked;
      return revoked.value ? ok({}) : fail('VALIDATION_ERROR', 'There is no such rule any more.');
    },
    'permission.backtest': async ({ rule, project }) => ok(testRule(parts, rule, project)),
  };
}

/** As lists show it, so that it can be taken back like a rule. It is none: it covers the project's own command only. */
function shownGrant({ id, tool, place, expiresAt }: TimedGrant): Rule {
  return { id, effect: 'allow', scope: 'session', match: { tool, path: place }, from: `until ${expiresAt}` };
}

function testRule({ sessions, ruleContext, categoryOf }: PermissionHandlerDeps, rule: Rule, project: string) {
  const past: PastCall[] = [];
  for (const summary of sessions
    .list()
    .filter((one) => one.project === project)
    .slice(0, testedSessions)) {
    const read: Result<Parameters<typeof replay>[0]> = sessions.read(summary.id);
    if (!read.ok) continue;
    for (const call of callsOf(replay(read.value))) {
      if (!call.intent || call.intent.risk === 'none') continue;
      past.push({
        tool: call.tool,
        category: categoryOf(call.tool),
        level: call.level,
        intent: call.intent,
        at: call.proposedAt,
        ...(call.answer ? { answer: call.answer } : {}),
      });
    }
  }
  const { considered, matched } = backtest(rule, past, ruleContext(project));
  return { considered, matched: [...matched] };
}
