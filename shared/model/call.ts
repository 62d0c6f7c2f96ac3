import * as z from 'zod';
import type { Immutable } from '../immutable.ts';
import { toolResultSchema } from '../result.ts';
import { broughtSchema } from './brought.ts';
import { changeSchema, fileVerdictSchema } from './change.ts';
import { intentSchema } from './intent.ts';
import { levelSchema } from './level.ts';
import { ruleSchema } from './rule.ts';

/** What a command does beside running, as far as its words tell: paths (with where links lead), hosts, and who fetches. */
const effectsSchema = z.lazy(() =>
  z.object({
    deletes: z.array(z.string()),
    writes: z.array(z.string()),
    hosts: z.array(z.string()),
    downloads: z.array(z.string()),
  }),
);
export type CommandEffects = Immutable<z.infer<typeof effectsSchema>>;

/** A question to the person, with everything the card shows. */
export const approvalSchema = z.lazy(() =>
  z.object({
    askedAt: z.string(),
    /** Why it is asked, in words ("dangerous tools are asked each time", "writes a protected file"). */
    reasons: z.array(z.string()),
    /** Irreversible or far-reaching (C4): shown in red. */
    severe: z.boolean(),
    /** Of a command; absent where there is nothing to tell. */
    effects: effectsSchema.optional(),
    /** False for what only *Once* may allow (P12, C3, C4). */
    rememberable: z.boolean(),
    /** The exact rules that *Session* and *Always* would create. */
    suggestions: z.array(ruleSchema),
    /** The agent asks for more than this call: *hour* would allow the tool in this folder for so long. */
    offer: z.object({ place: z.string(), minutes: z.number() }).optional(),
  }),
);
export type Approval = Immutable<z.infer<typeof approvalSchema>>;

export const decisionSchema = z.lazy(() => z.enum(['once', 'hour', 'session', 'always', 'deny']));
export type Decision = z.infer<typeof decisionSchema>;

export const answerSchema = z.lazy(() =>
  z.object({
    at: z.string(),
    decision: z.enum(['allow', 'deny']),
    /** Who decided: the person, a rule, the level allowed on the command line, or the phase. */
    by: z.enum(['user', 'rule', 'level', 'host']),
    rule: z.string().optional(),
    reason: z.string().optional(),
    /** ISO time until which the answer holds, where it holds for a while. */
    until: z.string().optional(),
    /** The calls that were allowed by this one answer, in the order of the reply: they write all of their files or none. */
    together: z.array(z.string()).optional(),
    /** File by file, where the person judged a change; `content` goes once the call has ended. */
    verdicts: z.array(fileVerdictSchema).optional(),
    /** The words that a question of the agent was answered with. */
    text: z.string().optional(),
  }),
);
export type Answer = Immutable<z.infer<typeof answerSchema>>;

const callStateSchema = z.lazy(() => z.enum(['proposed', 'waiting', 'running', 'finished']));

/** One tool call from proposal to result. */
export const callSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    turn: z.string(),
    tool: z.string(),
    input: z.unknown(),
    level: levelSchema,
    state: callStateSchema,
    proposedAt: z.string(),
    intent: intentSchema.optional(),
    /** The changes that were proposed at first, where those of `intent` were rebased on files that had moved on. */
    rebasedFrom: z.array(changeSchema).optional(),
    approval: approvalSchema.optional(),
    answer: answerSchema.optional(),
    startedAt: z.string().optional(),
    finishedAt: z.string().optional(),
    /** The newest part of its progress output, at most 4,000 characters. */
    output: z.string().optional(),
    task: z.string().optional(),
    changeSet: z.string().optional(),
    result: toolResultSchema.optional(),
    brought: broughtSchema.optional(),
  }),
);
export type Call = Immutable<z.infer<typeof callSchema>>;
