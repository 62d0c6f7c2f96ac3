import { prepare } from './prepare.mjs';

await prepare(import.meta.url);
const { pack } = await import('./pack.ts');
process.exitCode = await pack(process.argv.slice(2));
