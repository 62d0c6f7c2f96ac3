import type { SessionSummary } from '../../shared/model/workbench.ts';

/** Something that a person who looks elsewhere wants to know. */
export interface News {
  readonly session: string;
  readonly project: string;
  readonly title: string;
  readonly kind: 'waits' | 'done' | 'failed' | 'blocked';
}

const kinds = { done: 'done', answered: 'done', incomplete: 'blocked', blocked: 'blocked', failed: 'failed' } as const;

type Sessions = Readonly<Record<string, SessionSummary>>;

/** What happened from one state of the workbench to the next: a question more, or a turn that ended by itself. */
export function newsBetween(before: Sessions, after: Sessions): readonly News[] {
  return Object.values(after).flatMap((now): News[] => {
    const was = before[now.id];
    if (was === now || !was) return [];
    const { id: session, project, title } = now;
    if (now.waiting > was.waiting) return [{ session, project, title, kind: 'waits' }];
    // A short turn begins and ends between two looks.
    const hasEnded = now.state === 'idle' && (was.state !== 'idle' || now.turns > was.turns);
    // Who stopped it knows.
    if (!hasEnded || now.lastOutcome === null || now.lastOutcome === 'cancelled') return [];
    return [{ session, project, title, kind: kinds[now.lastOutcome] }];
  });
}
