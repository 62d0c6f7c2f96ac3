import { openLab } from './measure/agentRun.ts';
import { byTurns, compare, isSmoke, report } from './measure/report.ts';

// CPU seconds of a whole `vise exec` whose one reply comes in 20,000 pieces, against a bare program on node:http.

const pieces = isSmoke ? 200 : 20_000;
const lab = openLab();
const replies = [{ text: 'token '.repeat(pieces), chunk: 'token '.length }];
const cpu = async (which: 'ours' | 'reference'): Promise<number> => (await lab.run(which, replies)).cpuSeconds;

try {
  report(
    compare(
      'streamedTokens',
      's CPU',
      await byTurns(7, { ours: () => cpu('ours'), reference: () => cpu('reference') }),
    ),
  );
} finally {
  lab.remove();
}
