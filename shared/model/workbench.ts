import type { Outcome } from './event.ts';
import type { Mode, Phase } from './phase.ts';
import type { Settings } from './settings.ts';

/** How far a project folder is trusted. `restricted` reads only: nothing of the folder may run. */
export type Trust = 'restricted' | 'trusted';

export interface ProjectInfo {
  /** The real path of the folder. */
  readonly path: string;
  readonly name: string;
  readonly trust: Trust;
  readonly branch?: string;
  readonly openedAt: string;
  /** False when the folder is gone. */
  readonly exists: boolean;
  readonly sample?: boolean;
}

/** A line of the session list; derived from the session's state, kept so that the list needs no journal. */
export interface SessionSummary {
  readonly id: string;
  readonly project: string;
  readonly title: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archived: boolean;
  readonly mode: Mode;
  readonly phase: Phase;
  readonly provider: string;
  readonly model: string;
  readonly state: 'running' | 'waiting' | 'idle';
  readonly lastOutcome: Outcome | null;
  readonly waiting: number;
  readonly tasks: { readonly running: number; readonly queued: number };
  readonly turns: number;
  /** Why the journal could not be read, when it could not. */
  readonly broken?: string;
}

export interface ProviderInfo {
  readonly name: string;
  readonly kind: string;
  readonly baseUrl: string;
  readonly model: string;
  /** The key itself never leaves the engine. */
  readonly hasKey: boolean;
  readonly local: boolean;
  readonly usable: boolean;
  readonly problem?: string;
}

/** What every window shows beside the sessions; made only by `reduceWorkbench`. */
export interface WorkbenchState {
  readonly version: string;
  readonly home: string;
  readonly platform: string;
  readonly settings: Settings;
  readonly projects: readonly ProjectInfo[];
  readonly sessions: Readonly<Record<string, SessionSummary>>;
  readonly providers: readonly ProviderInfo[];
  readonly activeProvider: string;
  readonly sandbox: { readonly available: boolean; readonly why: string };
}

export type WorkbenchEvent =
  | { readonly type: 'session.listed'; readonly summary: SessionSummary }
  | { readonly type: 'session.unlisted'; readonly id: string }
  | { readonly type: 'projects.changed'; readonly projects: readonly ProjectInfo[] }
  | { readonly type: 'settings.changed'; readonly settings: Settings }
  | { readonly type: 'providers.changed'; readonly providers: readonly ProviderInfo[]; readonly active: string }
  | { readonly type: 'sandbox.known'; readonly available: boolean; readonly why: string };

export interface WorkbenchEnvelope {
  readonly seq: number;
  readonly at: string;
  readonly event: WorkbenchEvent;
}

export function reduceWorkbench(state: WorkbenchState, { event }: WorkbenchEnvelope): WorkbenchState {
  switch (event.type) {
    case 'session.listed':
      return { ...state, sessions: { ...state.sessions, [event.summary.id]: event.summary } };
    case 'session.unlisted': {
      const { [event.id]: _gone, ...sessions } = state.sessions;
      return { ...state, sessions };
    }
    case 'projects.changed':
      return { ...state, projects: event.projects };
    case 'settings.changed':
      return { ...state, settings: event.settings };
    case 'providers.changed':
      return { ...state, providers: event.providers, activeProvider: event.active };
    case 'sandbox.known':
      return { ...state, sandbox: { available: event.available, why: event.why } };
  }
}
