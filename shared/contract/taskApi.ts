import * as z from 'zod';
import { nothing, sessionId, taskId } from './common.ts';
import { method } from './define.ts';

const task = z.lazy(() => z.object({ session: sessionId, task: taskId }));

export const taskApi = {
  /**
   * Opens the byte channel of a task for this connection. `screen` is the serialised screen so far; what comes after
   * arrives as binary frames of `channel`, and is acknowledged in bytes with `ack` frames.
   */
  'task.attach': method(
    () => task.unwrap().extend({ columns: z.int().min(2).max(1000), rows: z.int().min(1).max(500) }),
    /** `convertEol`: a line feed also returns the carriage (the output comes unconverted). */
    () => z.object({ channel: z.int(), screen: z.string(), ended: z.boolean(), convertEol: z.boolean() }),
  ),
  'task.detach': method(
    () => z.object({ channel: z.int() }),
    () => nothing,
  ),
  'task.input': method(
    () => task.unwrap().extend({ data: z.string().max(1_000_000) }),
    () => nothing,
  ),
  'task.resize': method(
    () => task.unwrap().extend({ columns: z.int().min(2).max(1000), rows: z.int().min(1).max(500) }),
    () => nothing,
  ),
  'task.stop': method(
    () => task,
    () => z.object({ cancelled: z.boolean(), state: z.string() }),
  ),
  'task.restart': method(
    () => task,
    () => z.object({ task: taskId }),
  ),
  'task.remove': method(
    () => task,
    () => nothing,
  ),
  /** A shell of the person's own, beside the agent's tasks. */
  'task.shell': method(
    () => z.object({ session: sessionId, columns: z.int().min(2).max(1000), rows: z.int().min(1).max(500) }),
    () => z.object({ task: taskId }),
  ),
  /**
   * The lines of the whole log that hold a text, as plain text, with the lines around them; `total` counts those beyond
   * `limit` too. A newer search of the same connection ends this one (CANCELLED).
   */
  'task.find': method(
    () =>
      task.unwrap().extend({
        query: z.string().min(1).max(500),
        caseSensitive: z.boolean().optional(),
        limit: z.int().min(1).max(500),
      }),
    () =>
      z.object({
        total: z.int(),
        lines: z.array(
          z.object({
            /** 1-based in what is kept of the log. */
            line: z.int(),
            text: z.string(),
            before: z.array(z.string()),
            after: z.array(z.string()),
          }),
        ),
      }),
  ),
  /** A slice of the log as plain text, for copying. Offsets in bytes. */
  'task.log': method(
    () => task.unwrap().extend({ offset: z.int().min(0), maxBytes: z.int().min(1).max(4_000_000) }),
    () => z.object({ text: z.string(), nextOffset: z.int(), sizeBytes: z.int(), path: z.string() }),
  ),
};
