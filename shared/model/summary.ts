import { questionsOf } from './questions.ts';
import type { SessionState } from './sessionState.ts';
import type { SessionSummary } from './workbench.ts';

/** The line of the session list; equal summaries compare equal as JSON. */
export function summaryOf(state: SessionState): SessionSummary {
  const waiting = questionsOf(state).length;
  const tasks = Object.values(state.tasks);
  const {
    id,
    project,
    lane,
    subagentOf,
    title,
    createdAt,
    updatedAt,
    archived,
    mode,
    provider,
    model,
    lastOutcome,
    turns,
  } = state;
  return {
    id,
    project,
    ...(lane ? { lane } : {}),
    ...(subagentOf ? { subagentOf } : {}),
    title,
    createdAt,
    updatedAt,
    archived,
    mode,
    provider,
    model,
    lastOutcome,
    turns,
    phase: state.facts.phase,
    state: waiting > 0 ? 'waiting' : state.turn ? 'running' : 'idle',
    waiting,
    tasks: {
      running: tasks.filter((task) => task.state === 'running').length,
      queued: tasks.filter((task) => task.state === 'queued').length,
    },
  };
}
