import type { Call } from './call.ts';
import type { AppliedChangeSet } from './change.ts';
import type { Counted } from './contextUse.ts';
import type { Attachment, Hint, Outcome, WrittenCall } from './event.ts';
import type { Level } from './level.ts';
import type { Mode, PhaseFacts } from './phase.ts';
import type { Rule } from './rule.ts';
import type { Task } from './task.ts';
import { emptyTimeline, type Timeline } from './timeline.ts';
import { noUsage, type Usage } from './usage.ts';

/** What the conversation shows, in order. Calls stand where they were proposed. */
export type Item =
  | {
      readonly kind: 'user';
      readonly turn: string;
      readonly at: string;
      readonly text: string;
      readonly attachments?: readonly Attachment[];
    }
  | {
      readonly kind: 'assistant';
      readonly turn: string;
      readonly at: string;
      readonly text: string;
      readonly reasoning?: string;
      readonly reasoningDetails?: readonly unknown[];
      /** The calls of this reply, in the order written. */
      readonly calls: readonly WrittenCall[];
    }
  | { readonly kind: 'system'; readonly turn: string; readonly at: string; readonly text: string; readonly hint?: Hint }
  | { readonly kind: 'call'; readonly call: Call }
  | {
      readonly kind: 'phase';
      readonly at: string;
      readonly from: PhaseFacts['phase'];
      readonly to: PhaseFacts['phase'];
      readonly cause: string;
    }
  | {
      readonly kind: 'notice';
      readonly at: string;
      readonly level: 'info' | 'warning' | 'error';
      readonly code: string;
      readonly text: string;
      readonly until?: string;
    }
  | {
      readonly kind: 'end';
      readonly turn: string;
      readonly at: string;
      readonly outcome: Outcome;
      readonly error?: { readonly code: string; readonly message: string };
    };

export interface RunningTurn {
  readonly id: string;
  readonly startedAt: string;
  /** What has been streamed of the reply that is being written. */
  readonly text: string;
  readonly reasoning: string;
}

/** Everything a window or a script may know of one session; made only by `reduce`. */
export interface SessionState {
  readonly id: string;
  readonly project: string;
  readonly title: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archived: boolean;
  readonly mode: Mode;
  readonly provider: string;
  readonly model: string;
  /** What runs without a question, set for this session. */
  readonly allow: Level;
  readonly grants: { readonly tools: readonly string[]; readonly rules: readonly Rule[] };
  readonly turn: RunningTurn | null;
  /** The turn that was cut off by the end of the engine, until it is continued or another one starts. */
  readonly interrupted: string | null;
  readonly lastOutcome: Outcome | null;
  readonly items: Timeline<Item>;
  /** Where in `items` each call stands that is not finished. */
  readonly liveCalls: Readonly<Record<string, number>>;
  readonly tasks: Readonly<Record<string, Task>>;
  readonly changeSets: readonly AppliedChangeSet[];
  readonly queue: readonly {
    readonly id: string;
    readonly text: string;
    readonly attachments?: readonly Attachment[];
  }[];
  readonly facts: PhaseFacts;
  readonly usage: Usage;
  readonly context: { readonly tokens: number; readonly limit: number; readonly counted?: Counted } | null;
  readonly compacted: { readonly upTo: number; readonly summary: string } | null;
  readonly turns: number;
}

export const noFacts: PhaseFacts = {
  phase: 'IDLE',
  iterations: 0,
  maxIterations: 20,
  replans: 0,
  steps: [],
  findings: [],
  constraints: [],
  filesRead: [],
  filesModified: [],
};

export const emptySession: SessionState = {
  id: '',
  project: '',
  title: '',
  createdAt: '',
  updatedAt: '',
  archived: false,
  mode: 'phased',
  provider: '',
  model: '',
  allow: 'none',
  grants: { tools: [], rules: [] },
  turn: null,
  interrupted: null,
  lastOutcome: null,
  items: emptyTimeline,
  liveCalls: {},
  tasks: {},
  changeSets: [],
  queue: [],
  facts: noFacts,
  usage: noUsage,
  context: null,
  compacted: null,
  turns: 0,
};
