import * as z from 'zod';
import type { Immutable } from '../immutable.ts';
import { pictureSchema, tabSchema } from './brought.ts';
import { buildSchema } from './build.ts';
import { callSchema } from './call.ts';
import { changeSetSchema } from './change.ts';
import { countedSchema } from './contextUse.ts';
import { attachmentSchema, hintSchema, outcomeSchema, writtenCallSchema } from './event.ts';
import { laneHomeSchema } from './lane.ts';
import { levelSchema } from './level.ts';
import { modeSchema, type PhaseFacts, phaseFactsSchema, phaseSchema } from './phase.ts';
import { rehearsalSchema } from './rehearsal.ts';
import { ruleSchema } from './rule.ts';
import { subagentOfSchema } from './subagent.ts';
import { taskSchema } from './task.ts';
import { emptyTimeline } from './timeline.ts';
import { noUsage, usageSchema } from './usage.ts';

/** What the conversation shows, in order. Calls stand where they were proposed. */
const itemSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('user'),
      turn: z.string(),
      at: z.string(),
      text: z.string(),
      attachments: z.array(attachmentSchema).optional(),
    }),
    z.object({
      kind: z.literal('assistant'),
      turn: z.string(),
      at: z.string(),
      text: z.string(),
      reasoning: z.string().optional(),
      reasoningDetails: z.array(z.unknown()).optional(),
      /** The calls of this reply, in the order written. */
      calls: z.array(writtenCallSchema),
    }),
    z.object({
      kind: z.literal('system'),
      turn: z.string(),
      at: z.string(),
      text: z.string(),
      hint: hintSchema.optional(),
    }),
    z.object({ kind: z.literal('call'), call: callSchema }),
    z.object({ kind: z.literal('phase'), at: z.string(), from: phaseSchema, to: phaseSchema, cause: z.string() }),
    z.object({
      kind: z.literal('notice'),
      at: z.string(),
      level: z.enum(['info', 'warning', 'error']),
      code: z.string(),
      text: z.string(),
      until: z.string().optional(),
      paths: z.array(z.string()).optional(),
    }),
    z.object({
      kind: z.literal('end'),
      turn: z.string(),
      at: z.string(),
      outcome: outcomeSchema,
      open: z.array(z.string()).optional(),
      error: z.object({ code: z.string(), message: z.string() }).optional(),
      /** What its requests took; absent where it sent none. */
      usage: usageSchema.optional(),
    }),
  ]),
);
export type Item = Immutable<z.infer<typeof itemSchema>>;

const runningTurnSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    startedAt: z.string(),
    /** What has been streamed of the reply that is being written. */
    text: z.string(),
    reasoning: z.string(),
  }),
);

const browserFactsSchema = z.lazy(() =>
  z.object({
    tabs: z.array(tabSchema),
    /** The newest picture of a page, with its tab. */
    picture: pictureSchema.unwrap().extend({ at: z.string(), tab: z.number().nullable() }).nullable(),
  }),
);
export type BrowserFacts = Immutable<z.infer<typeof browserFactsSchema>>;

/** Everything a window or a script may know of one session; made only by `reduce`. */
export const sessionStateSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    project: z.string(),
    /** Its project is a lane. */
    lane: laneHomeSchema.optional(),
    subagentOf: subagentOfSchema.optional(),
    title: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
    archived: z.boolean(),
    mode: modeSchema,
    provider: z.string(),
    model: z.string(),
    /** Of the model's levels; empty: what settings and provider take as usual. */
    effort: z.string(),
    /** US dollars that this session may cost; null: what the settings say. */
    maxCost: z.number().nullable(),
    /** Edits are written as they come, and reviewed after; what is protected is asked about all the same. */
    appliesEdits: z.boolean(),
    /** What runs without a question, set for this session. */
    allow: levelSchema,
    grants: z.object({ tools: z.array(z.string()), rules: z.array(ruleSchema) }),
    turn: runningTurnSchema.nullable(),
    /** The turn that was cut off by the end of the engine, until it is continued or another one starts. */
    interrupted: z.string().nullable(),
    lastOutcome: outcomeSchema.nullable(),
    /** A `Timeline`: chunks of items. */
    items: z.array(z.array(itemSchema)),
    /** Where in `items` each call stands that is not finished. */
    liveCalls: z.record(z.string(), z.number()),
    tasks: z.record(z.string(), taskSchema),
    /** By task: how the newest round of those that build ended. */
    builds: z.record(z.string(), buildSchema),
    changeSets: z.array(changeSetSchema),
    /** Of what waits now; null where nothing waits or is to be tried. */
    rehearsal: rehearsalSchema.nullable(),
    queue: z.array(z.object({ id: z.string(), text: z.string(), attachments: z.array(attachmentSchema).optional() })),
    facts: phaseFactsSchema,
    /** What the agent has seen of web pages. */
    browser: browserFactsSchema,
    usage: usageSchema,
    /** The part of `usage` that the newest turn brought. */
    turnUsage: usageSchema,
    context: z.object({ tokens: z.number(), limit: z.number(), counted: countedSchema.optional() }).nullable(),
    compacted: z.object({ upTo: z.number(), summary: z.string() }).nullable(),
    turns: z.number(),
    /** The id of the newest way back that was gone. */
    rewound: z.string().nullable(),
  }),
);
export type SessionState = Immutable<z.infer<typeof sessionStateSchema>>;

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
  effort: '',
  maxCost: null,
  appliesEdits: false,
  allow: 'none',
  grants: { tools: [], rules: [] },
  turn: null,
  interrupted: null,
  lastOutcome: null,
  items: emptyTimeline,
  liveCalls: {},
  tasks: {},
  builds: {},
  changeSets: [],
  rehearsal: null,
  queue: [],
  facts: noFacts,
  browser: { tabs: [], picture: null },
  usage: noUsage,
  turnUsage: noUsage,
  context: null,
  compacted: null,
  turns: 0,
  rewound: null,
};

/** A queue with one of it before another; last, where there is no such other. One that is not in it moves nothing. */
export function movedBefore(queue: SessionState['queue'], id: string, before?: string): SessionState['queue'] {
  const rest = queue.filter((queued) => queued.id !== id);
  const found = rest.findIndex((queued) => queued.id === before);
  return rest.toSpliced(found === -1 ? rest.length : found, 0, ...queue.filter((queued) => queued.id === id));
}
