import { parentPort } from 'node:worker_threads';
import type { CountTokens } from './bytePairs.ts';
import type { Encoding } from './encodingOf.ts';
import { loadTokenizer } from './loadTokenizer.ts';

// Entry of the thread that counts tokens.

export interface TokenJob {
  readonly id: number;
  readonly encoding: Encoding;
  readonly texts: readonly string[];
}

export interface TokenReply {
  readonly id: number;
  readonly counts: readonly number[];
}

const port = parentPort;
const loaded = new Map<Encoding, Promise<CountTokens>>();

async function answer({ id, encoding, texts }: TokenJob): Promise<void> {
  const load = loaded.get(encoding) ?? loadTokenizer(encoding);
  loaded.set(encoding, load);
  const count = await load;
  port?.postMessage({ id, counts: texts.map(count) } satisfies TokenReply);
}

port?.on('message', (job: TokenJob) => void answer(job));
