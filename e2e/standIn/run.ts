import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runInThisContext } from 'node:vm';

/**
 * Runs a built app as Electron would run it: `run.ts APP [WORD …]`. Its module `electron` is the stand-in; `ready` comes
 * after the entry has been evaluated, and never where the entry waits for it.
 */
const [, , folder = '', ...words] = process.argv;
const standIn = pathToFileURL(join(import.meta.dirname, 'electron.ts')).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron'
      ? { url: standIn, shortCircuit: true, format: 'module-typescript' }
      : next(specifier, context),
});
process.execPath = process.env['STAND_IN_PROGRAM'] ?? process.execPath;
process.argv = [process.execPath, ...(process.env['STAND_IN_PACKAGED'] === undefined ? [folder] : []), ...words];
Object.assign(process, { resourcesPath: process.env['STAND_IN_PACKAGED'] ?? '' });

const electron = (await import('./electron.ts')) as Record<string, unknown>;
const { theBrowser } = await import('./browserWindow.ts');
const { app } = await import('./app.ts');

interface Asked {
  readonly id: number;
  readonly source?: string;
  readonly arg?: unknown;
}

process.on('message', ({ id, source, arg }: Asked) => {
  const answer = async (): Promise<unknown> => {
    if (source === undefined) return (await theBrowser()).endpoint;
    // The test's own function, as Playwright evaluates it in a real Electron.
    const run = runInThisContext(`(${source})`) as (module: unknown, given: unknown) => unknown;
    return run(electron, arg);
  };
  answer().then(
    (value) => process.send?.({ id, value }),
    (error: unknown) => process.send?.({ id, error: error instanceof Error ? error.message : String(error) }),
  );
});
// A benchmark wants to know how long the way to the first window is, and nothing after it.
if (process.env['STAND_IN_UNTIL_WINDOW'] !== undefined)
  app.once('web-contents-created', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ windowAfterMs: performance.now(), workedMs: (user + system) / 1000 });
    process.exit(0);
  });
// As Electron does, until the app listens itself.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.on(signal, () => process.listenerCount(signal) === 1 && app.quit());
// Whoever drives it is gone without a word: nothing may be left.
process.on('disconnect', () => process.exit(1));

await import(pathToFileURL(join(folder, 'out', 'main', 'main.js')).href);
app.becomeReady();
