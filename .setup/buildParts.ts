import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { parts } from './buildList.ts';
import { root, run, say } from './project.mjs';
import { hashInputs, isStale, markBuilt, type Part } from './stale.ts';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Two builds at once would tear each other's output: the second waits for the first. */
async function alone(action: () => Promise<boolean>): Promise<boolean> {
  const lock = join(root, 'out', '.building');
  mkdirSync(join(root, 'out'), { recursive: true });
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch {
      const owner = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : 0;
      if (owner > 0 && !isAlive(owner)) rmSync(lock, { force: true });
      else await after(100);
    }
  }
  try {
    return await action();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** @returns why it failed; undefined when it is built */
async function buildPart(part: Part): Promise<string | undefined> {
  const missing = part.entries.filter((entry) => !existsSync(join(root, entry)));
  if (missing.length > 0) return `missing: ${missing.join(', ')}`;
  if (part.name === 'hosts') {
    const { bundleHosts } = await import('./bundleHosts.ts');
    return bundleHosts().then(
      () => undefined,
      (error: unknown) => String(error),
    );
  }
  const cli = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  const env = { ...process.env, VISE_BUILD_PART: part.name, NODE_ENV: 'production' };
  const args = [cli, 'build', '--logLevel', 'warn'];
  const done = await run(process.execPath, args, { quiet: true, env, timeLimitMs: 5 * 60_000 });
  // Building one part alone is meant; what else the bundlers have to say is worth reading.
  const remarks = done.output.split('\n').filter((line) => line.trim() !== '' && !line.endsWith('config is missing'));
  if (done.code !== 0) return remarks.join('\n');
  if (remarks.length > 0) say(remarks.join('\n'));
  return undefined;
}

/**
 * Builds what is stale, or all with `force`, in parts side by side, and says so in a line a part.
 * Tells whether all that was to be built is built.
 */
export function buildStale({ force = false }: { readonly force?: boolean } = {}): Promise<boolean> {
  return alone(async () => {
    const stale = parts.filter((part) => force || isStale(root, part));
    const results = await Promise.all(
      stale.map(async (part) => {
        const started = performance.now();
        const hash = hashInputs(root, part);
        const failure = await buildPart(part);
        if (failure === undefined) {
          markBuilt(root, part, hash);
          say(`Built the ${part.name} in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
        } else say(`Could not build the ${part.name}: ${failure}`);
        return failure === undefined;
      }),
    );
    return results.every(Boolean);
  });
}
