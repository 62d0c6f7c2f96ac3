import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { prepare } from './prepare.mjs';

await prepare(import.meta.url);
const { buildStale } = await import('./buildParts.ts');
const { findElectron, hasDisplay, letHelpersRun } = await import('./electronBinary.ts');
const { root, say } = await import('./project.mjs');

if (!(await buildStale())) process.exit(1);

letHelpersRun();
const wishes = process.argv.slice(2);
const electron = await findElectron();
if ('why' in electron) say(`No desktop window, ${electron.why}: serving the workbench on a loopback address instead.`);
const quiet = hasDisplay() || wishes.includes('--no-open') ? [] : ['--no-open'];

const child =
  'path' in electron
    ? spawn(electron.path, [root, ...wishes], { stdio: 'inherit' })
    : spawn(process.execPath, [join(root, 'out', 'cli.js'), 'serve', ...wishes, ...quiet], { stdio: 'inherit' });

/** @type {NodeJS.Signals[]} */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
for (const signal of signals) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  say(error.message);
  process.exitCode = 1;
});
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143);
});
