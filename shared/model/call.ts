import type { ToolResult } from '../result.ts';
import type { Intent } from './intent.ts';
import type { Level } from './level.ts';
import type { Rule } from './rule.ts';

/** A question to the person, with everything the card shows. */
export interface Approval {
  readonly askedAt: string;
  /** Why it is asked, in words ("dangerous tools are asked each time", "writes a protected file"). */
  readonly reasons: readonly string[];
  /** Red: irreversible or far-reaching (C4). */
  readonly tone: 'plain' | 'red';
  /** False for what only *Once* may allow (P12, C3, C4). */
  readonly rememberable: boolean;
  /** The exact rules that *Session* and *Always* would create. */
  readonly suggestions: readonly Rule[];
  /** The agent asks for more than this call: *hour* would allow the tool in this folder for so long. */
  readonly offer?: { readonly place: string; readonly minutes: number };
}

export type Decision = 'once' | 'hour' | 'session' | 'always' | 'deny';

export interface Answer {
  readonly at: string;
  readonly decision: 'allow' | 'deny';
  /** Who decided: the person, a rule, the level allowed on the command line, or the phase. */
  readonly by: 'user' | 'rule' | 'level' | 'host';
  readonly rule?: string;
  readonly reason?: string;
  /** ISO time until which the answer holds, where it holds for a while. */
  readonly until?: string;
  /** The calls that were allowed by this one answer, in the order of the reply: they write all of their files or none. */
  readonly together?: readonly string[];
}

export type CallState = 'proposed' | 'waiting' | 'running' | 'finished';

/** One tool call from proposal to result. */
export interface Call {
  readonly id: string;
  readonly turn: string;
  readonly tool: string;
  readonly input: unknown;
  readonly level: Level;
  readonly state: CallState;
  readonly proposedAt: string;
  readonly intent?: Intent;
  readonly approval?: Approval;
  readonly answer?: Answer;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  /** The newest part of its progress output, at most 4,000 characters. */
  readonly output?: string;
  readonly task?: string;
  readonly changeSet?: string;
  readonly result?: ToolResult;
}
