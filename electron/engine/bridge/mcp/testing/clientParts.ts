import { systemClock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import type { Secrets } from '../../../base/secrets.ts';
import type { McpClientParts } from '../client.ts';
import { createServerTokens } from '../serverTokens.ts';

const quiet: Log = { warn: () => undefined };

/** What a client of MCP servers is made with, for tests: nothing is trusted, no tokens are kept. */
export function clientParts(changes: Partial<McpClientParts> = {}): McpClientParts {
  return {
    clock: systemClock,
    log: quiet,
    env: { PATH: process.env['PATH'] ?? '' },
    cwd: import.meta.dirname,
    version: '1',
    tokens: createServerTokens(memorySecrets(), quiet),
    redact: (text) => text,
    isOff: () => false,
    trusts: () => Promise.resolve(false),
    ...changes,
  };
}

/** Keys in memory, which tests can look at. */
export function memorySecrets(kept = new Map<string, string>()): Secrets {
  return {
    place: { kept: 'file', path: '' },
    get: (name) => kept.get(name),
    problem: () => undefined,
    set: (name, key) => void kept.set(name, key),
    delete: (name) => void kept.delete(name),
  };
}
