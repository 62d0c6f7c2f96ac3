import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '../../shared/contract/client.ts';
import type { Connection } from '../../shared/contract/connection.ts';
import { maxFrameChars } from '../../shared/contract/connection.ts';
import { inMemoryPair } from '../../shared/contract/inMemoryPair.ts';
import { reduceWorkbench, type WorkbenchState } from '../../shared/model/workbench.ts';
import { version } from '../cli/base/version.ts';
import { systemClock } from '../engine/base/clock.ts';
import { findKeychain } from '../engine/base/keychain.ts';
import type { Log } from '../engine/base/log.ts';
import type { Places } from '../engine/base/places.ts';
import { createSecrets } from '../engine/base/secrets.ts';
import { superviseProcess } from '../engine/base/supervise.ts';
import { createEngine } from '../engine/engine.ts';
import { commandEnvironment } from './commandEnvironment.ts';
import { type Counts, countsOf } from './counts.ts';

/** The engine as the desktop holds it: one for all windows. */
export interface EngineHost {
  connect(connection: Connection): void;
  counts(): Counts;
  /** Calls at once, and again whenever what every window shows has changed. */
  follow(listen: (state: WorkbenchState) => void): void;
  readonly problems: readonly string[];
  close(tasks: 'stop' | 'keep'): Promise<void>;
}

export interface EngineHostOptions {
  readonly places: Places;
  readonly userData: string;
  /** Where `out/` and `resources/` lie: the project, or the resources of a packed app. */
  readonly programFolder: string;
  readonly log: Log;
}

const keychainMs = 2_000;

/** Starts the one engine of the app. Rejects where it cannot be made; the message says what is in the way. */
export async function startEngineHost({
  places,
  userData,
  programFolder,
  log,
}: EngineHostOptions): Promise<EngineHost> {
  const watch = superviseProcess(log.warn);
  const { environment, settled } = commandEnvironment({ userData, log });
  const secrets = createSecrets(places.config, findKeychain(places.config, process.env));
  // A keychain that asks for its password waits for a person; the window does not wait for that.
  const limit = new AbortController();
  await Promise.race([secrets.open(), delay(keychainMs, undefined, { signal: limit.signal }).catch(() => undefined)]);
  limit.abort();
  const engine = createEngine({
    version,
    places,
    resources: join(programFolder, 'resources'),
    clock: systemClock,
    log,
    env: environment,
    platform: process.platform,
    secrets,
    ptyHost: join(programFolder, 'out', 'ptyHost.js'),
    interactive: true,
    allow: 'none',
    provider: {},
  });
  engine.cleanInBackground();
  const [near, far] = inMemoryPair();
  engine.connect(far);
  const client = createClient(near);
  const listeners = new Set<(state: WorkbenchState) => void>();
  const watched = await client.call('workbench.watch', {});
  if (!watched.ok) throw new Error(watched.error.message);
  let { state } = watched.value;
  client.onWorkbench((envelope) => {
    state = reduceWorkbench(state, envelope);
    for (const listen of listeners) listen(state);
  });
  const external = serveExternal(places.state, engine.connectExternal, log);
  return {
    connect: (connection) => void engine.connect(connection),
    counts: () => countsOf(state),
    follow(listen) {
      listeners.add(listen);
      listen(state);
    },
    problems: engine.problems,
    async close(tasks) {
      listeners.clear();
      settled.abort();
      await (await external)?.close();
      await engine.close({ keepTasks: tasks === 'keep' });
      client.close();
      watch.dispose();
    },
  };
}

/** Lets `vise mcp` ask in this app's inbox. Without it everything else works. */
async function serveExternal(
  state: string,
  connect: (connection: Connection) => unknown,
  log: Log,
): Promise<{ close(): Promise<void> } | undefined> {
  try {
    const { startExternalServer } = await import('../server/externalServer.ts');
    return await startExternalServer({ state, maxFrameBytes: maxFrameChars, onConnection: (one) => void connect(one) });
  } catch (error) {
    log.warn('"vise mcp" cannot ask here', error);
    return undefined;
  }
}
