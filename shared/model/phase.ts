import * as z from 'zod';
import type { Immutable } from '../immutable.ts';
import { todoListSchema } from './todo.ts';

/** The phases of one task given by the person. */
export const phases = ['IDLE', 'EXPLORING', 'PLANNING', 'PATCHING', 'VERIFYING', 'DONE', 'FAILED'] as const;
export const phaseSchema = z.lazy(() => z.enum(phases));
export type Phase = (typeof phases)[number];

export const modes = ['phased', 'direct', 'ask'] as const;
export const modeSchema = z.lazy(() => z.enum(modes));
export type Mode = (typeof modes)[number];

export const planStepSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    intent: z.string(),
    targetFiles: z.array(z.string()),
    state: z.enum(['pending', 'running', 'done', 'failed', 'skipped']),
    error: z.string().optional(),
    retries: z.number(),
  }),
);
export type PlanStep = Immutable<z.infer<typeof planStepSchema>>;

/** What the phases know outside the conversation; injected into every request, never summarised. */
export const phaseFactsSchema = z.lazy(() =>
  z.object({
    phase: phaseSchema,
    iterations: z.number(),
    maxIterations: z.number(),
    replans: z.number(),
    steps: z.array(planStepSchema),
    findings: z.array(z.string()),
    constraints: z.array(z.string()),
    filesRead: z.array(z.string()),
    filesModified: z.array(z.string()),
    /** Kept in all modes; absent until there is one. */
    todoList: todoListSchema.optional(),
  }),
);
export type PhaseFacts = Immutable<z.infer<typeof phaseFactsSchema>>;
