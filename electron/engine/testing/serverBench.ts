import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ServerReply, startModelServer } from '../../../e2e/modelServer.ts';
import { followSession, testBench } from './engineForTest.ts';

/** A request as the server has read it. */
export interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** A real engine that asks a real server on the loopback. */
export async function askServer(
  replies: readonly ServerReply[],
  options: {
    readonly files?: Readonly<Record<string, string>>;
    readonly provider?: Readonly<Record<string, unknown>>;
    /** Of the configuration. */
    readonly settings?: Readonly<Record<string, unknown>>;
    readonly models?: Readonly<Record<string, unknown>>;
    readonly mode?: 'direct' | 'phased' | 'ask';
    readonly ports?: Parameters<typeof testBench>[1];
  } = {},
) {
  const server = await startModelServer({ replies });
  onTestFinished(() => server.close());
  const bench = testBench(options.files ?? { 'a.txt': 'old' }, {
    provider: { name: 'local' },
    allow: 'dangerous',
    ...options.ports,
  });
  const block = { llm_provider: 'openai_compatible', llm_base_url: server.url, llm_model: 'm', llm_api_key: 'k' };
  const { settings, models } = options;
  const config = {
    providers: { local: { ...block, ...options.provider } },
    active_provider: 'local',
    settings,
    models,
  };
  mkdirSync(bench.ports.places.config, { recursive: true });
  writeFileSync(join(bench.ports.places.config, 'config.json'), JSON.stringify(config));
  const again = await bench.restart(); // the configuration is read when an engine begins
  const made = await again.client.call('session.create', { project: again.project, mode: options.mode ?? 'direct' });
  if (!made.ok) throw new Error(made.error.message);
  const session = await followSession(again.client, made.value.session);
  const asked = (count: number): Asked => server.requests[count - 1]?.body as Asked;
  return { server, bench: again, session, asked };
}
