import type { Envelope, SessionEvent } from '../../../shared/model/event.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { summaryOf } from '../../../shared/model/summary.ts';
import type { SessionSummary } from '../../../shared/model/workbench.ts';
import type { Redact } from '../base/redact.ts';
import type { SessionIndex } from './sessionIndex.ts';

/** How sessions stand in the list, and what keeps it true while they run. */
export interface SessionListing {
  /** As it is kept and shown: like the journal, without keys. */
  summary(state: SessionState): SessionSummary;
  /** Publishes the facts of a session, and its summary when it changes. */
  publisher(id: string): (envelope: Envelope, state: SessionState) => void;
  put(state: SessionState): void;
}

export function createSessionListing(
  {
    publish,
    listed,
    redact,
  }: {
    readonly publish: (envelope: Envelope) => void;
    readonly listed: (id: string, summary: SessionSummary) => void;
    readonly redact?: Redact;
  },
  index: SessionIndex,
): SessionListing {
  const summaryFor = (state: SessionState): SessionSummary => {
    const summary = summaryOf(state);
    return redact ? { ...summary, title: redact(summary.title) } : summary;
  };
  const publisher = (id: string) => {
    let before = '';
    return (envelope: Envelope, state: SessionState): void => {
      publish(envelope);
      if (!changesSummary.has(envelope.event.type)) return;
      const summary = summaryFor(state);
      const now = JSON.stringify({ ...summary, updatedAt: '' });
      if (now === before) return;
      before = now;
      index.put(summary);
      listed(id, summary);
    };
  };
  return { summary: summaryFor, publisher, put: (state) => index.put(summaryFor(state)) };
}

const changesSummary: ReadonlySet<SessionEvent['type']> = new Set([
  'session.started',
  'session.renamed',
  'session.archived',
  'session.configured',
  'turn.started',
  'turn.interrupted',
  'turn.finished',
  'phase.changed',
  'permission.asked',
  'permission.answered',
  'tool.finished',
  'task.queued',
  'task.started',
  'task.ended',
  'task.removed',
]);
