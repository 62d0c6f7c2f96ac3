import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from './project.mjs';

/** Below out/; the launcher takes it for the compile cache where it exists. */
const compiled = join(root, 'out', 'compiled');

const event = (delta: object, finish: string | null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const call = {
  index: 0,
  id: 'a',
  type: 'function',
  function: { name: 'read_file', arguments: '{"filePath":"a.txt"}' },
};
const replies = [event({ tool_calls: [call] }, 'tool_calls'), event({ content: 'Done.' }, 'stop')];

/**
 * Runs one small task, so that what a task needs is compiled and kept beside the program: without that the first start
 * of every user takes 30 ms longer. Tells whether it worked; without it a start compiles for itself.
 */
export async function compileAhead(): Promise<boolean> {
  rmSync(compiled, { recursive: true, force: true });
  mkdirSync(compiled, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'vise-build-'));
  let asked = 0;
  const server = createServer((incoming, outgoing) => {
    incoming.resume().on('end', () => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
      outgoing.end(`${replies[Math.min(asked, replies.length - 1)] ?? ''}data: [DONE]\n\n`);
      asked += 1;
    });
  });
  try {
    await new Promise<void>((resolve, reject) => server.on('error', reject).listen(0, '127.0.0.1', resolve));
    writeFileSync(join(folder, 'a.txt'), 'a\n');
    const { port } = server.address() as AddressInfo; // listening on TCP gives this shape
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      VISE_HOME: join(folder, 'home'),
      LLM_BASE_URL: `http://127.0.0.1:${port}/v1`,
      LLM_MODEL: 'none',
      LLM_API_KEY: 'none',
    };
    const task = ['exec', '--project', folder, '--mode', 'direct', '--json', 'go'];
    const { code } = await run(process.execPath, [join(root, 'out', 'cli.js'), ...task], {
      quiet: true,
      env,
      timeLimitMs: 60_000,
    });
    return code === 0 && asked === replies.length;
  } catch {
    return false;
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
