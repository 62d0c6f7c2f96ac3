import { create } from 'zustand';

/** How the window stands to its engine. `generation` counts the connections: what is bound to one is bound anew. */
export interface ConnectionState {
  readonly status: 'connecting' | 'open' | 'lost';
  readonly generation: number;
  readonly reason: string;
  /** Tries in a row that failed. */
  readonly failures: number;
  /** Milliseconds since the epoch of the next try, while lost. */
  readonly retryAt: number | null;
}

export const useConnection = create<ConnectionState>(() => ({
  status: 'connecting',
  generation: 0,
  reason: '',
  failures: 0,
  retryAt: null,
}));
