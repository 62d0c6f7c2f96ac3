/** The phases of one task given by the person (seed 004). */
export const phases = ['IDLE', 'EXPLORING', 'PLANNING', 'PATCHING', 'VERIFYING', 'DONE', 'FAILED'] as const;
export type Phase = (typeof phases)[number];

export const modes = ['phased', 'direct', 'ask'] as const;
export type Mode = (typeof modes)[number];

export interface PlanStep {
  readonly id: string;
  readonly intent: string;
  readonly targetFiles: readonly string[];
  readonly state: 'pending' | 'running' | 'done' | 'failed' | 'skipped';
  readonly error?: string;
  readonly retries: number;
}

/** What the phases know outside the conversation; injected into every request, never summarised. */
export interface PhaseFacts {
  readonly phase: Phase;
  readonly iterations: number;
  readonly maxIterations: number;
  readonly replans: number;
  readonly steps: readonly PlanStep[];
  readonly findings: readonly string[];
  readonly constraints: readonly string[];
  readonly filesRead: readonly string[];
  readonly filesModified: readonly string[];
}
