import { fail } from '../../../../../shared/result.ts';
import type { CallPorts } from '../interceptPseudo.ts';
import type { Threads } from '../threads.ts';

const none = fail('SESSION_NOT_FOUND', 'no thread');

const threads: Threads = {
  list: () => [],
  get: () => none,
  create: () => none,
  draft: () => Promise.resolve(none),
  start: () => Promise.resolve(none),
  ended: () => Promise.resolve(none),
  rename: () => Promise.resolve(none),
  archive: () => Promise.resolve(none),
  stop: () => Promise.resolve(none),
  delete: () => Promise.resolve(none),
  messages: () => none,
  proposed: () => [],
};

/** The ports of a project without sessions, where nobody listens. */
export const noThreads: Pick<CallPorts, 'threads' | 'tell' | 'signal'> = {
  threads: () => threads,
  tell: () => undefined,
  signal: new AbortController().signal,
};
