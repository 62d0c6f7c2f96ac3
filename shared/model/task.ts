import * as z from 'zod';
import type { Immutable } from '../immutable.ts';

export const taskStates = ['queued', 'running', 'completed', 'failed', 'cancelled', 'timeout', 'lost'] as const;
export type TaskState = (typeof taskStates)[number];

export const finalTaskStates: readonly TaskState[] = ['completed', 'failed', 'cancelled', 'timeout', 'lost'];

/** Why a command is not waited for. */
const backgroundReasonSchema = z.lazy(() => z.enum(['estimated', 'measured', 'explicit']));
export type BackgroundReason = z.infer<typeof backgroundReasonSchema>;

/** One command that runs or ran. Times are ISO, durations milliseconds, sizes bytes. */
export const taskSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    title: z.string(),
    command: z.string(),
    argv: z.array(z.string()).optional(),
    mode: z.enum(['shell', 'direct']),
    cwd: z.string(),
    kind: z.enum(['agent', 'user']),
    state: z.enum(taskStates),
    call: z.string().optional(),
    background: backgroundReasonSchema.optional(),
    estimateSeconds: z.number().optional(),
    /** 1-based place among the queued ones. */
    place: z.number().optional(),
    pid: z.number().optional(),
    ports: z.array(z.number()).optional(),
    createdAt: z.string(),
    startedAt: z.string().optional(),
    endedAt: z.string().optional(),
    lastOutputAt: z.string().optional(),
    /** Set while a silent task looks as if it waited for an answer; the line that looks like a prompt. */
    stalledOn: z.string().optional(),
    exitCode: z.number().optional(),
    signal: z.string().optional(),
    error: z.string().optional(),
    outputBytes: z.number(),
    logPath: z.string().optional(),
    /** Processes of this task that outlived it, by id. */
    survivors: z.array(z.number()).optional(),
  }),
);
export type Task = Immutable<z.infer<typeof taskSchema>>;
