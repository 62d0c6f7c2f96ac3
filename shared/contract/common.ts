import * as z from 'zod';

/** Ids are made by the engine: a date and random hex, or a name; never part of a path. */
export const sessionId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'not a session id');
export const callId = z.string().min(1).max(200);
export const taskId = z.string().min(1).max(64);
export const nothing = z.object({});
export const text = z.string().max(2_000_000);
