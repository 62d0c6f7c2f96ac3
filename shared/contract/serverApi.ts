import * as z from 'zod';
import type { Immutable } from '../immutable.ts';
import { nothing } from './common.ts';
import { method } from './define.ts';

const server = z.lazy(() =>
  z.object({
    name: z.string(),
    origin: z.enum(['user', 'project']),
    /** The command with its words, or the address without what may be private in it. */
    place: z.string(),
    /**
     * `waiting`: it ended and is started again; `failed`: it is not tried any more; `signedOut`: it answers once the person
     * has signed in; `untrusted`: the project that names it is not trusted; `off`: switched off.
     */
    state: z.enum(['connecting', 'ready', 'waiting', 'failed', 'signedOut', 'untrusted', 'off', 'closed']),
    /** The cause of a failure. */
    reason: z.string().optional(),
    /** Until it is started again. */
    retryInMs: z.number().optional(),
    /** There are tokens that signing out takes away. */
    signedIn: z.boolean(),
    /** The page that the person signs in at now. */
    signInPage: z.string().optional(),
    tools: z.array(z.object({ name: z.string(), about: z.string(), level: z.string() })),
    prompts: z.array(z.object({ name: z.string(), about: z.string() })),
    resources: z.array(z.object({ name: z.string(), about: z.string() })),
  }),
);
export type McpServerView = Immutable<z.infer<typeof server>>;

const one = z.object({ project: z.string(), name: z.string().max(64) });

/** MCP servers of the person and of a project. */
export const serverApi = {
  /** Starts those that may be; answers at once with what they are now. `faults`: entries that cannot be used. */
  'server.list': method(
    () => z.object({ project: z.string() }),
    () => z.object({ servers: z.array(server), faults: z.array(z.string()) }),
  ),
  /** What it said last: its stderr, its notifications and its states. Errors: VALIDATION_ERROR (no such server). */
  'server.log': method(
    () => one,
    () => z.object({ lines: z.array(z.object({ at: z.string(), from: z.string(), text: z.string() })) }),
  ),
  /** Errors: VALIDATION_ERROR (no such server, or one that may not be started). */
  'server.restart': method(
    () => one,
    () => nothing,
  ),
  /** For all projects. */
  'server.switch': method(
    () => one.extend({ on: z.boolean() }),
    () => nothing,
  ),
  /**
   * Begins to sign in: `page` is for the person's browser, on the computer that Vise runs on. Errors: VALIDATION_ERROR (no such server),
   * UNAVAILABLE (with the cause).
   */
  'server.signIn': method(
    () => one,
    () => z.object({ page: z.string() }),
  ),
  /** Forgets the tokens. Errors: VALIDATION_ERROR (no such server, or none over HTTP). */
  'server.signOut': method(
    () => one,
    () => nothing,
  ),
};
