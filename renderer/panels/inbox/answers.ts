import type { Answer } from '../../../shared/model/call.ts';
import { callsOf } from '../../../shared/model/reduce.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import type { WorkbenchState } from '../../../shared/model/workbench.ts';

/** An answer with what it was given to. */
export interface Answered {
  readonly session: string;
  readonly title: string;
  readonly project: string;
  readonly call: string;
  readonly summary: string;
  readonly at: string;
  readonly decision: Answer['decision'];
  readonly by: Answer['by'];
  readonly reason?: string | undefined;
  readonly rule?: string | undefined;
}

const shownAnswers = 200;

/** What was asked and is answered, newest first. What ran without a question is no answer of anybody. */
export function answersOf(states: readonly SessionState[]): readonly Answered[] {
  return states
    .flatMap((state) =>
      callsOf(state).flatMap(({ id, tool, intent, approval, answer }): readonly Answered[] => {
        if (!answer || !approval) return [];
        const { at, decision, by, reason, rule } = answer;
        return [
          {
            session: state.id,
            title: state.title,
            project: state.project,
            call: id,
            summary: intent?.summary ?? tool,
            at,
            decision,
            by,
            reason: by === 'user' ? reason : undefined,
            rule,
          },
        ];
      }),
    )
    .toSorted((a, b) => b.at.localeCompare(a.at))
    .slice(0, shownAnswers);
}

/** The sessions in which something happened last, over all projects. */
export function newestSessions(workbench: WorkbenchState, most: number): readonly string[] {
  return Object.values(workbench.sessions)
    .filter(({ broken, turns }) => broken === undefined && turns > 0)
    .toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt))
    .slice(0, most)
    .map(({ id }) => id);
}
