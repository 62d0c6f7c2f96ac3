import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Client, createClient } from '../../../shared/contract/client.ts';
import { inMemoryPair } from '../../../shared/contract/inMemoryPair.ts';
import type { Call } from '../../../shared/model/call.ts';
import type { Envelope, EventOf, SessionEventType } from '../../../shared/model/event.ts';
import { liveCallsOf, reduce } from '../../../shared/model/reduce.ts';
import { emptySession, type SessionState } from '../../../shared/model/sessionState.ts';
import { itemsOf } from '../../../shared/model/timeline.ts';
import { systemClock } from '../base/clock.ts';
import { findPlaces } from '../base/places.ts';
import { createSecrets } from '../base/secrets.ts';
import { createEngine, type Engine } from '../engine.ts';
import type { EnginePorts } from '../ports.ts';
import { writeFiles } from '../workspace/testing/testFolder.ts';
import { silentLog } from './silentLog.ts';

export interface ScriptReply {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly { readonly tool: string; readonly input: unknown }[];
  readonly delayMs?: number;
}

export interface TestBench {
  readonly home: string;
  readonly project: string;
  readonly ports: EnginePorts;
  readonly engine: Engine;
  readonly client: Client;
  file(name: string): string;
  /** A session on the project that plays these replies. */
  session(replies: readonly ScriptReply[], mode?: 'direct' | 'phased' | 'ask'): Promise<TestSession>;
  /** The engine ends as it would on a crash of its host; the next one works on the same folders. */
  restart(meanwhile?: () => Promise<void> | void): Promise<TestBench>;
}

export interface TestSession {
  readonly id: string;
  /** The facts as the client hears them. */
  readonly heard: readonly Envelope[];
  /** The state that the client has made of them with `reduce`. */
  mirror(): SessionState;
  say(text: string): Promise<EventOf<'turn.finished'>>;
  send(text: string): Promise<void>;
  /** The next fact of this type, or the last one if it has been heard already and not been waited for. */
  next<T extends SessionEventType>(type: T): Promise<EventOf<T>>;
  waiting(): readonly Call[];
}

const repository = resolve(import.meta.dirname, '..', '..', '..');

/** A real engine on real folders, with a person in reach; only the model is scripted. Everything is removed when the test ends. */
export function testBench(
  files: Readonly<Record<string, string | Uint8Array>>,
  ports: Partial<EnginePorts> = {},
): TestBench {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vise-engine-')));
  const project = join(folder, 'project');
  const home = join(folder, 'home');
  writeFiles(folder, { 'script.json': '{"replies":[]}' });
  writeFiles(project, { ...files, '.keep': '' });
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return openBench(folder, home, project, ports);
}

function openBench(folder: string, home: string, project: string, given: Partial<EnginePorts>): TestBench {
  const env = { PATH: process.env['PATH'], HOME: folder, VISE_HOME: home, VISE_SCRIPT: join(folder, 'script.json') };
  const places = findPlaces(env);
  const ports: EnginePorts = {
    version: '0.0.0-test',
    places,
    resources: join(repository, 'resources'),
    clock: systemClock,
    log: silentLog,
    env,
    platform: process.platform,
    secrets: createSecrets(places.config),
    ptyHost: join(repository, 'out', 'ptyHost.js'),
    interactive: true,
    allow: 'none',
    provider: { name: 'scripted' },
    ...given,
  };
  const engine = createEngine(ports);
  const [near, far] = inMemoryPair();
  engine.connect(far);
  const client = createClient(near);
  let open = true;
  const close = async (): Promise<void> => {
    if (!open) return;
    open = false;
    await engine.close();
  };
  onTestFinished(close);
  return {
    home,
    project,
    ports,
    engine,
    client,
    file: (name) => readFileSync(join(project, name), 'utf8'),
    async session(replies, mode = 'direct') {
      writeFileSync(join(folder, 'script.json'), JSON.stringify({ replies }));
      const made = await client.call('session.create', { project, mode });
      if (!made.ok) throw new Error(made.error.message);
      return followSession(client, made.value.session);
    },
    async restart(meanwhile) {
      await close();
      await meanwhile?.();
      return openBench(folder, home, project, given);
    },
  };
}

/** Watches a session as a window would. */
export async function followSession(client: Client, id: string): Promise<TestSession> {
  const heard: Envelope[] = [];
  const taken = new Set<Envelope>();
  const listeners = new Set<() => void>();
  let state = emptySession;
  let seq = Infinity; // facts that come before the snapshot's answer are part of it or are held until it is here
  const early: Envelope[] = [];
  const take = (envelope: Envelope): void => {
    if (envelope.seq <= seq) return;
    seq = envelope.seq;
    state = reduce(state, envelope);
    heard.push(envelope);
    for (const listener of listeners) listener();
  };
  client.onEvent((envelope) => {
    if (envelope.session !== id) return;
    if (seq === Infinity) early.push(envelope);
    else take(envelope);
  });
  const watched = await client.call('session.watch', { session: id });
  if (!watched.ok) throw new Error(watched.error.message);
  ({ seq, state } = watched.value);
  for (const envelope of early) take(envelope);
  const next = async <T extends SessionEventType>(type: T): Promise<EventOf<T>> => {
    for (;;) {
      const found = heard.find((envelope) => envelope.event.type === type && !taken.has(envelope));
      if (found) {
        taken.add(found);
        return found.event as EventOf<T>; // its type was compared
      }
      await new Promise<void>((resolve) => {
        const listener = (): void => {
          listeners.delete(listener);
          resolve();
        };
        listeners.add(listener);
      });
    }
  };
  const send = async (text: string): Promise<void> => {
    const sent = await client.call('session.send', { session: id, text });
    if (!sent.ok) throw new Error(sent.error.message);
  };
  return {
    id,
    heard,
    mirror: () => state,
    send,
    async say(text) {
      await send(text);
      return next('turn.finished');
    },
    next,
    waiting: () => liveCallsOf(state).filter((call) => call.state === 'waiting'),
  };
}

/** The texts of the notices of a session. */
export function noticesOf({ items }: SessionState): readonly string[] {
  return [...itemsOf(items)].flatMap((item) => (item.kind === 'notice' ? [item.text] : []));
}
