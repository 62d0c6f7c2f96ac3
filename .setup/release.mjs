import { prepare } from './prepare.mjs';

await prepare(import.meta.url);
const { release } = await import('./release.ts');
process.exitCode = await release(process.argv.slice(2));
