import { prepare } from './prepare.mjs';

await prepare(import.meta.url);
const { buildStale } = await import('./buildParts.ts');
const { say } = await import('./project.mjs');

const unknown = process.argv.slice(2).filter((argument) => argument !== '--force');
if (unknown.length > 0) {
  say(`Unknown: ${unknown.join(' ')}. The build takes --force alone.`);
  process.exitCode = 2;
} else if (!(await buildStale({ force: process.argv.includes('--force') }))) process.exitCode = 1;
