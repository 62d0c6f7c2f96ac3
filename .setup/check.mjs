import { prepare } from './prepare.mjs';

await prepare(import.meta.url);
const { changedTests } = await import('./changedTests.ts');
const { runStages } = await import('./runStages.ts');
process.exitCode = await runStages(['--only', 'types,lint,format,unit', ...(await changedTests())]);
