import type { PhaseFacts } from './phase.ts';
import { noFacts, type SessionState } from './sessionState.ts';
import { itemAt, timelineLength } from './timeline.ts';
import { isOpenTodo } from './todo.ts';

/**
 * Whether the next message of the person opens a new task: the last one is done or failed, or its turn ended with an
 * answer. A phase that was entered by hand since then keeps the task; so does a turn that was stopped or cut off.
 */
export function isBetweenTasks({ facts, items }: SessionState): boolean {
  if (facts.phase === 'IDLE' || facts.phase === 'DONE' || facts.phase === 'FAILED') return true;
  const isOpen = facts.steps.some(({ state }) => state === 'pending' || state === 'running');
  for (let index = timelineLength(items) - 1; index >= 0; index -= 1) {
    const item = itemAt(items, index);
    if (item?.kind === 'end')
      return item.outcome === 'done' || item.outcome === 'answered' || (item.outcome === 'incomplete' && !isOpen);
    if (item?.kind !== 'notice') return false;
  }
  return false;
}

/** What is still to be done outlives the task that wrote it down. */
export function factsOfNewTask({ phase, todoList }: PhaseFacts): PhaseFacts {
  return { ...noFacts, phase, ...(todoList?.todos.some(isOpenTodo) ? { todoList } : {}) };
}
