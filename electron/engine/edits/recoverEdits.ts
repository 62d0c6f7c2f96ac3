import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isSessionEvent, type SessionEvent } from '../../../shared/model/event.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import type { RecoveredApply } from '../workspace/recoverApplies.ts';

/** Of a session: what is known of its changes, and where its facts go. */
interface EditedSession {
  readonly folder: string;
  readonly state: SessionState;
  emit(event: SessionEvent): void;
}

const fileName = 'recovered.jsonl';

/**
 * Keeps the fact of a write that was finished after a crash for its session, whoever has opened the project: a change that
 * is on the disk but not in the journal is neither lost nor made twice, and can be undone like any other.
 */
export function keepForSession(sessions: string, { session, fact }: RecoveredApply): void {
  const folder = join(sessions, session);
  if (fact && existsSync(folder)) appendFileSync(join(folder, fileName), `${JSON.stringify(fact)}\n`, { mode: 0o600 });
}

/** Tells the session what became of its writes that a crash had cut off. A fact that it has already is not told again. */
export function recoverEdits(session: EditedSession): void {
  const file = join(session.folder, fileName);
  if (!existsSync(file)) return;
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const fact = factOf(line);
    if (fact && isNews(fact, session.state)) session.emit(fact);
  }
  rmSync(file, { force: true });
}

function factOf(line: string): SessionEvent | undefined {
  try {
    const fact: unknown = JSON.parse(line);
    return isSessionEvent(fact) ? fact : undefined;
  } catch {
    return undefined;
  }
}

function isNews(fact: SessionEvent, { changeSets, rewound }: SessionState): boolean {
  if (fact.type === 'session.rewound') return fact.rewind !== rewound;
  if (fact.type === 'change.applied') return changeSets.every(({ id }) => id !== fact.changeSet);
  const before = fact.type === 'change.undone' ? 'applied' : 'undone';
  return 'changeSet' in fact && changeSets.some(({ id, state }) => id === fact.changeSet && state === before);
}
