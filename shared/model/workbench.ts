import * as z from 'zod';
import type { Immutable } from '../immutable.ts';
import { outcomeSchema } from './event.ts';
import { laneHomeSchema } from './lane.ts';
import { modeSchema, phaseSchema } from './phase.ts';
import { settingsSchema } from './settings.ts';
import { subagentOfSchema } from './subagent.ts';

/** How far a project folder is trusted. `restricted` reads only: nothing of the folder may run. */
export const trustSchema = z.lazy(() => z.enum(['restricted', 'trusted']));
export type Trust = z.infer<typeof trustSchema>;

export const projectInfoSchema = z.lazy(() =>
  z.object({
    /** The real path of the folder. */
    path: z.string(),
    name: z.string(),
    trust: trustSchema,
    branch: z.string().optional(),
    openedAt: z.string(),
    /** False when the folder is gone. */
    exists: z.boolean(),
    sample: z.boolean().optional(),
  }),
);
export type ProjectInfo = Immutable<z.infer<typeof projectInfoSchema>>;

/** A line of the session list; derived from the session's state, kept so that the list needs no journal. */
export const sessionSummarySchema = z.lazy(() =>
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
    phase: phaseSchema,
    provider: z.string(),
    model: z.string(),
    state: z.enum(['running', 'waiting', 'idle']),
    lastOutcome: outcomeSchema.nullable(),
    waiting: z.number(),
    tasks: z.object({ running: z.number(), queued: z.number() }),
    turns: z.number(),
    /** Why the journal could not be read, when it could not. */
    broken: z.string().optional(),
  }),
);
export type SessionSummary = Immutable<z.infer<typeof sessionSummarySchema>>;

const providerInfoSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    kind: z.string(),
    baseUrl: z.string(),
    model: z.string(),
    /** The key itself never leaves the engine. */
    hasKey: z.boolean(),
    local: z.boolean(),
    usable: z.boolean(),
    problem: z.string().optional(),
  }),
);
export type ProviderInfo = Immutable<z.infer<typeof providerInfoSchema>>;

const keysPlaceSchema = z.lazy(() => z.object({ kept: z.enum(['keychain', 'file']), path: z.string() }));

/** What every window shows beside the sessions; made only by `reduceWorkbench`. */
export const workbenchStateSchema = z.lazy(() =>
  z.object({
    version: z.string(),
    home: z.string(),
    platform: z.string(),
    settings: settingsSchema,
    projects: z.array(projectInfoSchema),
    sessions: z.record(z.string(), sessionSummarySchema),
    providers: z.array(providerInfoSchema),
    activeProvider: z.string(),
    sandbox: z.object({ available: z.boolean(), why: z.string() }),
    /** Where keys of providers are kept: the system's keychain, or a file that only its owner can read. */
    keys: keysPlaceSchema,
  }),
);
export type WorkbenchState = Immutable<z.infer<typeof workbenchStateSchema>>;

const workbenchEventSchema = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('session.listed'), summary: sessionSummarySchema }),
    z.object({ type: z.literal('session.unlisted'), id: z.string() }),
    z.object({ type: z.literal('projects.changed'), projects: z.array(projectInfoSchema) }),
    z.object({ type: z.literal('settings.changed'), settings: settingsSchema }),
    z.object({
      type: z.literal('providers.changed'),
      providers: z.array(providerInfoSchema),
      active: z.string(),
      keys: keysPlaceSchema,
    }),
    z.object({ type: z.literal('sandbox.known'), available: z.boolean(), why: z.string() }),
  ]),
);
export type WorkbenchEvent = Immutable<z.infer<typeof workbenchEventSchema>>;

export const workbenchEnvelopeSchema = z.lazy(() =>
  z.object({ seq: z.number(), at: z.string(), event: workbenchEventSchema }),
);
export type WorkbenchEnvelope = Immutable<z.infer<typeof workbenchEnvelopeSchema>>;

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
      return { ...state, providers: event.providers, activeProvider: event.active, keys: event.keys };
    case 'sandbox.known':
      return { ...state, sandbox: { available: event.available, why: event.why } };
  }
}
