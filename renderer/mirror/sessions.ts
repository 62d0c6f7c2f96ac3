import { create } from 'zustand';
import { emptySession, type SessionState } from '../../shared/model/sessionState.ts';
import type { MirroredSession } from './applyFacts.ts';

/** The sessions this window watches: the one on show, and those that wait for an answer. Written by `follow.ts` alone. */
export interface SessionsMirror {
  readonly watched: Readonly<Record<string, MirroredSession>>;
  /** Why a session cannot be shown, by id. */
  readonly failed: Readonly<Record<string, string>>;
}

export const useSessions = create<SessionsMirror>(() => ({ watched: {}, failed: {} }));

export function sessionStateOf(mirror: SessionsMirror, id: string | null): SessionState {
  return (id === null ? undefined : mirror.watched[id]?.state) ?? emptySession;
}
