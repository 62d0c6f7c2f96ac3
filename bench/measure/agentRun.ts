import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ServerReply } from '../../e2e/modelServer.ts';
import { type Cost, measureChild } from './child.ts';
import { startReplyServer } from './replyServer.ts';

const root = dirname(dirname(import.meta.dirname));
const cli = join(root, 'out', 'cli.js');
/** Programs to compare with: a bare loop on node:http, a bare reader, one request through the `openai` package, a loop over it. */
const floors = { reference: 'loop.mjs', reader: 'reader.mjs', sdk: 'sdk.mjs', sdkLoop: 'sdkLoop.mjs' } as const;

export type Program = 'ours' | keyof typeof floors;

/** What one task over real event streams has cost. Times in ms since the program was started. */
export interface AgentRun extends Cost {
  /** When each request of the model was here, with its body. */
  readonly requestsAt: readonly number[];
  /** When each reply of the model had been sent. */
  readonly repliesAt: readonly number[];
  readonly firstRequestBytes: number;
}

export interface RunOptions {
  readonly memory?: boolean;
  readonly dialect?: 'responses' | 'messages';
  /** Vise takes the server for OpenAI (as its proxy), and asks it through the `openai` package. */
  readonly asOpenAi?: boolean;
}

/** A folder of its own for a benchmark: a project, and a home in which nothing is configured but long turns. */
export interface Lab {
  readonly project: string;
  /** Runs one task in Vise (`ours`) or in a program of bench/floor, against a server with these replies. */
  run(which: Program, replies: readonly ServerReply[], options?: RunOptions): Promise<AgentRun>;
  remove(): void;
}

export function openLab(files: Readonly<Record<string, string>> = {}): Lab {
  const folder = mkdtempSync(join(tmpdir(), 'vise-bench-'));
  const project = join(folder, 'project');
  const config = join(folder, 'home', 'config');
  mkdirSync(config, { recursive: true });
  const settings = { agent: { maxIterations: 10_000, maxRequests: 10_000 } };
  writeFileSync(join(config, 'config.json'), JSON.stringify({ settings }));
  mkdirSync(project);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  return {
    project,
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
    async run(which, replies, { memory = false, dialect, asOpenAi = false } = {}) {
      const server = await startReplyServer(replies);
      try {
        const env = {
          PATH: process.env['PATH'],
          HOME: folder,
          VISE_HOME: join(folder, 'home'),
          LLM_BASE_URL: server.url,
          LLM_MODEL: 'test',
          LLM_API_KEY: 'none',
          LLM_DIALECT: dialect ?? 'chat',
          ...(asOpenAi ? { LLM_BASE_URL: 'http://api.openai.com/v1', HTTP_PROXY: new URL(server.url).origin } : {}),
        };
        const flags = ['--project', project, '--mode', 'direct', '--allow', 'dangerous'];
        const args =
          which === 'ours'
            ? [cli, 'exec', ...flags, '--json', 'go']
            : [join(root, 'bench', 'floor', floors[which]), project, 'go'];
        const started = performance.now();
        const node = which === 'ours' ? (process.env['VISE_BENCH_NODE'] ?? process.execPath) : process.execPath;
        const cost = await measureChild(node, args, { env, memory, cwd: project });
        if (cost.code !== 0)
          throw new Error(`${which} ended with ${String(cost.code)}: ${cost.stderr}${cost.stdout.slice(-2_000)}`);
        if (server.requestsAt.length !== replies.length)
          throw new Error(`${which} sent ${server.requestsAt.length} requests, not ${replies.length}.`);
        return {
          ...cost,
          requestsAt: server.requestsAt.map((at) => at - started),
          repliesAt: server.repliesAt.map((at) => at - started),
          firstRequestBytes: server.requestBytes[0] ?? 0,
        };
      } finally {
        await server.close();
      }
    },
  };
}

/** The time from the end of each reply to the arrival of the next request, ms. */
export function stepsOf({ requestsAt, repliesAt }: AgentRun): readonly number[] {
  return requestsAt.slice(1).map((at, index) => at - (repliesAt[index] ?? Number.NaN));
}
