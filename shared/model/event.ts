import type { ToolResult } from '../result.ts';
import type { Answer, Approval } from './call.ts';
import type { AppliedFile } from './change.ts';
import type { Counted } from './contextUse.ts';
import type { Intent } from './intent.ts';
import type { Level } from './level.ts';
import type { Mode, Phase, PlanStep } from './phase.ts';
import type { Rule } from './rule.ts';
import type { Task } from './task.ts';
import type { Usage } from './usage.ts';

export type Outcome = 'done' | 'blocked' | 'failed' | 'cancelled';

/** Something the person attached to a message. Images are content ids with their media type. */
export type Attachment =
  | {
      readonly kind: 'file' | 'folder';
      readonly path: string;
      /** What it held (a folder: what lay in it) when the message was sent, bounded; filled in by the engine. */
      readonly text?: string;
    }
  | { readonly kind: 'image'; readonly content: string; readonly mediaType: string; readonly name?: string }
  | { readonly kind: 'text'; readonly title: string; readonly text: string };

/** One call as the model wrote it. */
export interface WrittenCall {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  /** The arguments' text where it is not the JSON of `input` (other spacing, or no JSON at all). */
  readonly argumentsText?: string;
  /** What the provider wants back with the call, unread. */
  readonly extra?: unknown;
}

/** Why Vise asks the model for another reply: nothing in it, cut at the length limit, no readable call, words where a call was due. */
export type Hint = 'empty' | 'cut' | 'malformed' | 'phase';

/** The facts of a session, past tense. A new member needs its arm in `reduce`, or nothing compiles. */
export type SessionEvent =
  | {
      readonly type: 'session.started';
      readonly id: string;
      readonly project: string;
      readonly title: string;
      readonly mode: Mode;
      readonly provider: string;
      readonly model: string;
      /** The first part of a forked session ends at this event of the parent. */
      readonly parent?: { readonly id: string; readonly seq: number };
    }
  | { readonly type: 'session.renamed'; readonly title: string }
  | { readonly type: 'session.archived'; readonly archived: boolean }
  | {
      readonly type: 'session.configured';
      readonly mode?: Mode;
      readonly provider?: string;
      readonly model?: string;
      readonly allow?: Level;
    }
  | {
      readonly type: 'turn.started';
      readonly turn: string;
      readonly text: string;
      readonly attachments?: readonly Attachment[];
      /** `task` opens a new task (new phases); `resume` goes on with an interrupted one. */
      readonly kind?: 'task' | 'resume' | 'init';
    }
  /** The engine went away in the middle; `session.continue` goes on from here. */
  | { readonly type: 'turn.interrupted'; readonly turn: string }
  | { readonly type: 'text.delta'; readonly turn: string; readonly text: string }
  | { readonly type: 'reasoning.delta'; readonly turn: string; readonly text: string }
  /** The partial reply was lost (a cut stream) and is asked for again: drop what was streamed. */
  | { readonly type: 'text.restarted'; readonly turn: string }
  | {
      readonly type: 'message';
      readonly turn: string;
      readonly role: 'assistant' | 'system' | 'user';
      readonly text: string;
      readonly reasoning?: string;
      /** Blocks of reasoning that the provider wants back with the reply, unread. */
      readonly reasoningDetails?: readonly unknown[];
      readonly calls?: readonly WrittenCall[];
      readonly attachments?: readonly Attachment[];
      /** Of a system message. */
      readonly hint?: Hint;
    }
  | {
      readonly type: 'message.queued';
      readonly id: string;
      readonly text: string;
      readonly attachments?: readonly Attachment[];
    }
  | { readonly type: 'message.unqueued'; readonly id: string }
  | { readonly type: 'phase.changed'; readonly from: Phase; readonly to: Phase; readonly cause: string }
  | {
      readonly type: 'findings.reported';
      readonly findings: readonly string[];
      readonly files: readonly string[];
      readonly constraints: readonly string[];
    }
  | { readonly type: 'plan.reported'; readonly steps: readonly PlanStep[]; readonly replan: boolean }
  | { readonly type: 'step.changed'; readonly step: PlanStep }
  | { readonly type: 'iteration.counted'; readonly iterations: number; readonly maxIterations: number }
  | {
      readonly type: 'tool.proposed';
      readonly call: string;
      readonly turn: string;
      readonly tool: string;
      readonly level: Level;
      readonly input: unknown;
      readonly intent?: Intent;
    }
  | { readonly type: 'permission.asked'; readonly call: string; readonly approval: Approval }
  | { readonly type: 'permission.answered'; readonly call: string; readonly answer: Answer }
  /** What stands for this session without asking again: moderate tools allowed once, and rules of the session. */
  | {
      readonly type: 'permission.granted';
      readonly tools: readonly string[];
      readonly rules: readonly Rule[];
    }
  | { readonly type: 'tool.started'; readonly call: string }
  | { readonly type: 'tool.output'; readonly call: string; readonly text: string }
  | { readonly type: 'tool.finished'; readonly call: string; readonly tool: string; readonly result: ToolResult }
  | {
      readonly type: 'change.applied';
      readonly changeSet: string;
      readonly call: string;
      /** Where several calls were written together: all of them, `call` being the first. */
      readonly calls?: readonly string[];
      readonly turn: string;
      readonly files: readonly AppliedFile[];
    }
  | { readonly type: 'change.undone'; readonly changeSet: string; readonly files: readonly string[] }
  | { readonly type: 'change.redone'; readonly changeSet: string; readonly files: readonly string[] }
  | { readonly type: 'task.queued'; readonly task: Task }
  | { readonly type: 'task.started'; readonly task: Task }
  | { readonly type: 'task.backgrounded'; readonly task: Task }
  | { readonly type: 'task.changed'; readonly task: Task }
  | { readonly type: 'task.ended'; readonly task: Task }
  | { readonly type: 'task.removed'; readonly task: string }
  | {
      readonly type: 'usage';
      readonly turn: string;
      readonly usage: Usage;
      readonly contextTokens?: number;
      readonly contextLimit?: number;
      /** Who counted `contextTokens`; absent in older journals. */
      readonly contextCounted?: Counted;
    }
  | {
      readonly type: 'context.compacted';
      /** The timeline items before this index are represented by the summary in later requests. */
      readonly upTo: number;
      readonly summary: string;
    }
  | {
      readonly type: 'notice';
      readonly level: 'info' | 'warning' | 'error';
      readonly code: string;
      readonly text: string;
      /** ISO time of the end of a wait (a countdown), when there is one. */
      readonly until?: string;
    }
  | {
      readonly type: 'turn.finished';
      readonly turn: string;
      readonly outcome: Outcome;
      readonly text: string;
      /** `answered` in words without a task, or `unverified`: text instead of a report of done. */
      readonly status?: 'answered' | 'unverified';
      readonly error?: { readonly code: string; readonly message: string };
    };

export type SessionEventType = SessionEvent['type'];
export type EventOf<T extends SessionEventType> = Extract<SessionEvent, { type: T }>;

/** A numbered fact. `seq` counts from 1 without gaps within a session; `at` is an ISO time. */
export interface Envelope {
  readonly seq: number;
  readonly at: string;
  readonly session: string;
  readonly event: SessionEvent;
}

/** Published but not journaled: what can be lost without losing a fact. */
export const fleeting: ReadonlySet<SessionEventType> = new Set([
  'text.delta',
  'reasoning.delta',
  'text.restarted',
  'tool.output',
  'task.changed',
]);
