import { openLab, type Program } from './measure/agentRun.ts';
import { byTurns, compare, isSmoke, report } from './measure/report.ts';

// CPU seconds of a whole `vise exec` whose one reply comes in 20,000 pieces, against a bare program on
// node:http, and against the `openai` package with nothing around it.

const pieces = isSmoke ? 200 : 20_000;
const lab = openLab();
const replies = [{ text: 'token '.repeat(pieces), chunk: 'token '.length }];
const cpu = async (which: Program): Promise<number> => (await lab.run(which, replies)).cpuSeconds;

try {
  const ours = (): Promise<number> => cpu('ours');
  report(compare('streamedTokens', 's CPU', await byTurns(7, { ours, reference: () => cpu('reference') })));
  report(compare('streamedTokensSdk', 's CPU', await byTurns(7, { ours, reference: () => cpu('sdk') })));
} finally {
  lab.remove();
}
