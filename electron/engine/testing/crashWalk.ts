import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import type { Envelope } from '../../../shared/model/event.ts';

/**
 * A program for the crash test: plays the script of a folder through a real engine, from where its session stands, and
 * ends itself with SIGKILL before the n-th operation that changes the disk (0: never).
 *
 *     node crashWalk.ts FOLDER N [ask]   prints the number of operations when it gets to the end
 *
 * `ask`: a person answers the proposals of a reply together, as soon as none of its calls is on its way any more.
 */
const [folder = '', killAt = '0', ask] = process.argv.slice(2);
const kill = Number(killAt);
let operations = 0;

function count(): void {
  operations += 1;
  if (operations === kill) process.kill(process.pid, 'SIGKILL');
}

/** The functions that change the disk; reading is of no account. */
const sync = ['writeSync', 'ftruncateSync', 'fdatasyncSync', 'renameSync', 'mkdirSync', 'rmSync', 'openSync'] as const;
const awaited = ['open', 'rename', 'link', 'unlink', 'rm', 'rmdir', 'mkdir', 'writeFile', 'utimes', 'chmod'] as const;

function countCalls(of: object, names: readonly string[]): void {
  const functions = of as Record<string, (...given: unknown[]) => unknown>;
  for (const name of names) {
    const real = functions[name];
    if (!real) continue;
    functions[name] = (...given) => {
      count();
      return real.apply(of, given);
    };
  }
}

const handle = await fs.promises.open(process.execPath);
countCalls(Object.getPrototypeOf(handle) as object, []);
const handlePrototype = Object.getPrototypeOf(handle) as Record<string, (...given: unknown[]) => unknown>;
for (const name of ['write', 'writeFile', 'sync', 'datasync', 'chmod', 'truncate']) {
  const real = handlePrototype[name];
  if (!real) continue;
  handlePrototype[name] = function counted(this: unknown, ...given: unknown[]) {
    count();
    return real.apply(this, given);
  };
}
await handle.close();
countCalls(fs, sync);
countCalls(fs.promises, awaited);
syncBuiltinESMExports();

const { createEngine } = await import('../engine.ts');
const { findPlaces } = await import('../base/places.ts');
const { systemClock } = await import('../base/clock.ts');
const { createSecrets } = await import('../base/secrets.ts');
const { createClient } = await import('../../../shared/contract/client.ts');
const { callsOf, liveCallsOf } = await import('../../../shared/model/reduce.ts');
const { itemsOf } = await import('../../../shared/model/timeline.ts');
const { inMemoryPair } = await import('../../../shared/contract/inMemoryPair.ts');

const env = {
  PATH: process.env['PATH'],
  HOME: folder,
  VISE_HOME: join(folder, 'home'),
  VISE_SCRIPT: join(folder, 'script.json'),
};
const places = findPlaces(env);
const engine = createEngine({
  version: '0.0.0-test',
  places,
  resources: join(import.meta.dirname, '..', '..', '..', 'resources'),
  clock: systemClock,
  log: { warn: (what, error) => process.stderr.write(`${what} ${String(error)}\n`) },
  env,
  platform: process.platform,
  secrets: createSecrets(places.config),
  ptyHost: '',
  interactive: ask === 'ask',
  allow: ask === 'ask' ? 'moderate' : 'dangerous',
  provider: { name: 'scripted' },
});
const [near, far] = inMemoryPair();
engine.connect(far);
const client = createClient(near);
const ended = Promise.withResolvers<void>();
engine.hub.watchAll(({ event, session }: Envelope) => {
  if (event.type === 'turn.finished') ended.resolve();
  // After this fact is reduced and the next calls of the reply are planned: see `answerAll`.
  if (event.type === 'permission.asked') setImmediate(() => void answerAll(session));
});

/** Every call of the reply that can wait does so: then the person answers all of them at once. */
async function answerAll(session: string): Promise<void> {
  const state = engine.sessions.live(session)?.session.state;
  if (!state) return;
  const calls = callsOf(state);
  const waiting = liveCallsOf(state).filter((call) => call.state === 'waiting');
  const written = [...itemsOf(state.items)].findLast((item) => item.kind === 'assistant')?.calls ?? [];
  const isWhole = written.every(({ id }) =>
    calls.some((call) => call.id === id && ['waiting', 'finished'].includes(call.state)),
  );
  if (!isWhole || waiting.length === 0) return;
  await client.call('change.answer', {
    session,
    answers: waiting.map(({ id }) => ({ call: id, decision: 'once' })),
  });
}

const must = <T>(
  result:
    | { readonly ok: true; readonly value: T }
    | { readonly ok: false; readonly error: { readonly message: string } },
): T => {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};
// A session without a turn was cut off while it was being made: the person would begin again, and so does this.
const known = engine.sessions.list().find(({ turns }) => turns > 0);
const id =
  known?.id ??
  must(
    await client.call('session.create', {
      project: join(folder, 'project'),
      mode: ask === 'ask' ? 'direct' : 'phased',
    }),
  ).session;
const live = must(await engine.sessions.open(id));
if (live.session.state.lastOutcome === null) {
  if (live.agent.running) await answerAll(id);
  else if (known) must(await client.call('session.continue', { session: id }));
  else must(await client.call('session.send', { session: id, text: 'Do it.' }));
  await ended.promise;
}
await engine.close();
process.stdout.write(`${operations}\n`);
