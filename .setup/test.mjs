import { prepare } from './prepare.mjs';

await prepare(import.meta.url);
const { runStages } = await import('./runStages.ts');
process.exitCode = await runStages(process.argv.slice(2));
