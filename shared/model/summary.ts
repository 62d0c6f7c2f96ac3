import { questionsOf } from './questions.ts';
import type { SessionState } from './sessionState.ts';
import type { SessionSummary } from './workbench.ts';

/** The line of the session list; equal summaries compare equal as JSON. */
export function summaryOf(state: SessionState): SessionSummary {
  const waiting = questionsOf(state).length;
  const tasks = Object.values(state.tasks);
  return {
    id: state.id,
    project: state.project,
    title: state.title,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    archived: state.archived,
    mode: state.mode,
    phase: state.facts.phase,
    provider: state.provider,
    model: state.model,
    state: waiting > 0 ? 'waiting' : state.turn ? 'running' : 'idle',
    lastOutcome: state.lastOutcome,
    waiting,
    tasks: {
      running: tasks.filter((task) => task.state === 'running').length,
      queued: tasks.filter((task) => task.state === 'queued').length,
    },
    turns: state.turns,
  };
}
