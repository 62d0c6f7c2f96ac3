// Long because it is one table: a fact without its arm in `reduce` does not compile.

import * as z from 'zod';
import { fits } from '../fits.ts';
import type { Immutable } from '../immutable.ts';
import { toolResultSchema } from '../result.ts';
import { broughtSchema } from './brought.ts';
import { buildSchema } from './build.ts';
import { answerSchema, approvalSchema } from './call.ts';
import { appliedFileSchema, changeSchema } from './change.ts';
import { countedSchema } from './contextUse.ts';
import { intentSchema } from './intent.ts';
import { laneHomeSchema } from './lane.ts';
import { levelSchema } from './level.ts';
import { modeSchema, phaseSchema, planStepSchema } from './phase.ts';
import { rehearsalSchema } from './rehearsal.ts';
import { movedSchema, rewindNoticeSchema, rewoundTalkSchema } from './rewind.ts';
import { ruleSchema } from './rule.ts';
import { subagentOfSchema } from './subagent.ts';
import { taskSchema } from './task.ts';
import { todoListSchema } from './todo.ts';
import { usageSchema } from './usage.ts';

/**
 * How a turn ended. `answered`: in words, where nothing was to be changed. `incomplete`: planned steps are open, or edits
 * were refused and not made good.
 */
export const outcomeSchema = z.lazy(() => z.enum(['done', 'answered', 'incomplete', 'blocked', 'failed', 'cancelled']));
export type Outcome = z.infer<typeof outcomeSchema>;

/** Something the person attached to a message. Images are content ids with their media type. */
export const attachmentSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.enum(['file', 'folder']),
      path: z.string(),
      /** Of a file: the line that is pointed at, or the first and the last; `text` then is what stands there, with numbers. */
      line: z.int().min(1).optional(),
      endLine: z.int().min(1).optional(),
      /** What it held (a folder: what lay in it) when the message was sent, bounded; filled in by the engine. */
      text: z.string().optional(),
    }),
    z.object({
      kind: z.literal('image'),
      content: z.string(),
      mediaType: z.string(),
      name: z.string().optional(),
    }),
    z.object({ kind: z.literal('text'), title: z.string(), text: z.string() }),
  ]),
);
export type Attachment = Immutable<z.infer<typeof attachmentSchema>>;

/** One call as the model wrote it. */
export const writtenCallSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    tool: z.string(),
    input: z.unknown(),
    /** The arguments' text where it is not the JSON of `input` (other spacing, or no JSON at all). */
    argumentsText: z.string().optional(),
    /** What the provider wants back with the call, unread. */
    extra: z.unknown().optional(),
  }),
);
export type WrittenCall = Immutable<z.infer<typeof writtenCallSchema>>;

/** Why Vise asks the model for another reply: nothing in it, cut at the length limit, no readable call, words where a call was due. */
export const hintSchema = z.lazy(() => z.enum(['empty', 'cut', 'malformed', 'phase']));
export type Hint = z.infer<typeof hintSchema>;

const words = () => z.array(z.string());
const attachments = () => z.array(attachmentSchema).optional();
const streamed = () => z.object({ turn: z.string(), text: z.string() });
const ofCall = () => z.object({ call: z.string() });
const ofTask = () => z.object({ task: taskSchema });
const ofChangeSet = () => z.object({ changeSet: z.string(), files: words() });

/** The facts of a session, past tense, by their type. A new one needs its arm in `reduce`, or nothing compiles. */
const facts = {
  'session.started': () =>
    z.object({
      id: z.string(),
      project: z.string(),
      title: z.string(),
      mode: modeSchema,
      provider: z.string(),
      model: z.string(),
      /** The first part of a forked session ends at this event of the parent. */
      parent: z.object({ id: z.string(), seq: z.number() }).optional(),
      /** Its project is a lane. */
      lane: laneHomeSchema.optional(),
      subagentOf: subagentOfSchema.optional(),
    }),
  'session.renamed': () => z.object({ title: z.string() }),
  'session.archived': () => z.object({ archived: z.boolean() }),
  'session.configured': () =>
    z.object({
      mode: modeSchema.optional(),
      provider: z.string().optional(),
      model: z.string().optional(),
      allow: levelSchema.optional(),
      /** Of the model's levels; empty: what the provider takes as usual. */
      effort: z.string().optional(),
      /** US dollars that this session may cost. */
      maxCost: z.number().optional(),
      appliesEdits: z.boolean().optional(),
    }),
  'turn.started': () =>
    z.object({
      turn: z.string(),
      text: z.string(),
      attachments: attachments(),
      /** `task` opens a new task (new phases); `resume` goes on with an interrupted one. */
      kind: z.enum(['task', 'resume', 'init']).optional(),
    }),
  /** The engine went away in the middle; `session.continue` goes on from here. */
  'turn.interrupted': () => z.object({ turn: z.string() }),
  'text.delta': streamed,
  'reasoning.delta': streamed,
  /** The partial reply was lost (a cut stream) and is asked for again: drop what was streamed. */
  'text.restarted': () => z.object({ turn: z.string() }),
  message: () =>
    z.object({
      turn: z.string(),
      role: z.enum(['assistant', 'system', 'user']),
      text: z.string(),
      reasoning: z.string().optional(),
      /** Blocks of reasoning that the provider wants back with the reply, unread. */
      reasoningDetails: z.array(z.unknown()).optional(),
      calls: z.array(writtenCallSchema).optional(),
      attachments: attachments(),
      /** Of a system message. */
      hint: hintSchema.optional(),
    }),
  'message.queued': () => z.object({ id: z.string(), text: z.string(), attachments: attachments() }),
  'message.unqueued': () => z.object({ id: z.string() }),
  /** It waits before another one now, or as the last. */
  'message.moved': () => z.object({ id: z.string(), before: z.string().optional() }),
  'phase.changed': () => z.object({ from: phaseSchema, to: phaseSchema, cause: z.string() }),
  'findings.reported': () => z.object({ findings: words(), files: words(), constraints: words() }),
  'plan.reported': () => z.object({ steps: z.array(planStepSchema), replan: z.boolean() }),
  'step.changed': () => z.object({ step: planStepSchema }),
  /** The whole list as it is now. */
  'todos.changed': () => todoListSchema.unwrap(),
  'iteration.counted': () => z.object({ iterations: z.number(), maxIterations: z.number() }),
  'tool.proposed': () =>
    z.object({
      call: z.string(),
      turn: z.string(),
      tool: z.string(),
      level: levelSchema,
      input: z.unknown(),
      intent: intentSchema.optional(),
    }),
  'permission.asked': () => ofCall().extend({ approval: approvalSchema, intent: intentSchema.optional() }),
  'permission.answered': () => ofCall().extend({ answer: answerSchema }),
  /** What stands for this session without asking again: moderate tools allowed once, and rules of the session. */
  'permission.granted': () => z.object({ tools: words(), rules: z.array(ruleSchema) }),
  'tool.started': ofCall,
  'tool.output': () => ofCall().extend({ text: z.string() }),
  'tool.finished': () =>
    ofCall().extend({ tool: z.string(), result: toolResultSchema, brought: broughtSchema.optional() }),
  'change.applied': () =>
    z.object({
      changeSet: z.string(),
      call: z.string(),
      /** Where several calls were written together: all of them, `call` being the first. */
      calls: words().optional(),
      turn: z.string(),
      files: z.array(appliedFileSchema),
      /** Nobody's call: the person took back a part of what was written. */
      isTakenBack: z.boolean().optional(),
    }),
  /** What a call proposes was made on the files as they are now. */
  'change.rebased': () => ofCall().extend({ changes: z.array(changeSchema) }),
  /** What waits was tried, or nothing is left to be tried; told anew as each check ends. */
  'change.rehearsed': () => z.object({ rehearsal: rehearsalSchema.nullable() }),
  /** The newest round of a background task that builds ended otherwise than the one before. */
  'build.changed': () => z.object({ build: buildSchema }),
  'change.undone': ofChangeSet,
  'change.redone': ofChangeSet,
  /** The person went back to an earlier point. What came after it stays in the journal. */
  'session.rewound': () =>
    z.object({
      rewind: z.string(),
      moved: z.array(movedSchema),
      talk: rewoundTalkSchema.unwrap().extend({ lastOutcome: outcomeSchema.nullable() }).nullable(),
      notice: rewindNoticeSchema,
    }),
  'task.queued': ofTask,
  'task.started': ofTask,
  'task.backgrounded': ofTask,
  'task.changed': ofTask,
  'task.ended': ofTask,
  'task.removed': () => z.object({ task: z.string() }),
  usage: () =>
    z.object({
      turn: z.string(),
      /** The session that sent the request, where it is a subagent's of this one. */
      subagent: z.string().optional(),
      usage: usageSchema,
      /** US dollars of this request; null where no price is known. */
      cost: z.number().nullable().optional(),
      /** Tokens of the input that came from the provider's cache. */
      cachedInput: z.number().optional(),
      contextTokens: z.number().optional(),
      contextLimit: z.number().optional(),
      /** Who counted `contextTokens`; absent in older journals. */
      contextCounted: countedSchema.optional(),
    }),
  'context.compacted': () =>
    z.object({
      upTo: z.number(), // in later requests the summary stands for the timeline items before this index
      summary: z.string(),
    }),
  notice: () =>
    z.object({
      level: z.enum(['info', 'warning', 'error']),
      code: z.string(),
      text: z.string(),
      /** ISO time of the end of a wait (a countdown). */
      until: z.string().optional(),
      paths: words().optional(), // of the project, left by a command, to be set aside
    }),
  'turn.finished': () =>
    z.object({
      turn: z.string(),
      outcome: outcomeSchema,
      text: z.string(),
      /** `answered` in words without a task, or `unverified`: text instead of a report of done. */
      status: z.enum(['answered', 'unverified']).optional(),
      /** Of an incomplete turn: what was planned or asked for and not done, a line each. */
      open: words().optional(),
      error: z.object({ code: z.string(), message: z.string() }).optional(),
    }),
};

type Facts = typeof facts;
export type SessionEventType = keyof Facts;
export type SessionEvent = {
  [T in SessionEventType]: Immutable<{ type: T } & z.infer<ReturnType<Facts[T]>>>;
}[SessionEventType];
export type EventOf<T extends SessionEventType> = Extract<SessionEvent, { type: T }>;

/** A numbered fact. `seq` counts from 1 without gaps within a session; `at` is an ISO time. */
export interface Envelope {
  readonly seq: number;
  readonly at: string;
  readonly session: string;
  readonly event: SessionEvent;
}

const frame = z.lazy(() =>
  z.object({ seq: z.number(), at: z.string(), session: z.string(), event: z.object({ type: z.string() }) }),
);

/** The whole fact of one kind. Of a kind that a newer version may know, only the frame is checked: `reduce` passes it over. */
function schemaOf(type: SessionEventType | undefined): z.ZodType {
  if (type === undefined) return frame;
  const event = facts[type]().extend({ type: z.literal(type) });
  return frame.unwrap().extend({ event });
}

const checks = new Map<SessionEventType | undefined, (value: unknown) => boolean>();

/** Whether this is a fact as its schema has it. */
export function isEnvelope(value: unknown): value is Envelope {
  const type = typeOf(value);
  let check = checks.get(type);
  if (check === undefined) {
    check = fits(schemaOf(type));
    checks.set(type, check);
  }
  return check(value);
}

/** The same of a fact without its number. */
export function isSessionEvent(event: unknown): event is SessionEvent {
  return isEnvelope({ seq: 0, at: '', session: '', event });
}

/** Why `isEnvelope` refused it, for people. */
export function envelopeFault(value: unknown): string {
  const [issue] = schemaOf(typeOf(value)).safeParse(value).error?.issues ?? [];
  return issue === undefined ? 'not a fact' : `${issue.path.join('.') || 'value'}: ${issue.message}`;
}

/** The kind of a fact, where it is one that we know. */
function typeOf(value: unknown): SessionEventType | undefined {
  const type = (value as { readonly event?: { readonly type?: unknown } } | null | undefined)?.event?.type;
  return typeof type === 'string' && Object.hasOwn(facts, type) ? (type as SessionEventType) : undefined;
}

export const envelopeSchema = z.lazy(() => z.custom<Envelope>(isEnvelope, 'not a fact'));

/** Published but not journaled: what can be lost without losing a fact. */
export const ephemeral: ReadonlySet<SessionEventType> = new Set([
  'text.delta',
  'reasoning.delta',
  'text.restarted',
  'tool.output',
  'task.changed',
  'change.rehearsed',
  'build.changed',
]);
