import type { ServerReply } from '../e2e/modelServer.ts';
import { openLab } from './measure/agentRun.ts';
import { byTurns, compare, isSmoke, report } from './measure/report.ts';

// The highest resident memory of the process tree during a task: one of 20 turns that reads, and one that streams; the same
// through the `openai` package.

const turns = isSmoke ? 2 : 20;
const text = 'a line of a file of middling length\n'.repeat(300);
const lab = openLab(Object.fromEntries(Array.from({ length: turns }, (_, index) => [`file${index}.txt`, text])));

async function peak(which: 'ours' | 'reference', replies: readonly ServerReply[], asOpenAi = false): Promise<number> {
  return (await lab.run(which, replies, { memory: true, asOpenAi: asOpenAi && which === 'ours' })).peakBytes / 1e6;
}

const tasks: Readonly<Record<string, readonly ServerReply[]>> = {
  peakMemoryReading: [
    ...Array.from({ length: turns }, (_, index) => ({
      calls: [{ tool: 'read_file', input: { filePath: `file${index}.txt` } }],
    })),
    { text: 'Done.' },
  ],
  peakMemoryStreaming: [{ text: 'token '.repeat(isSmoke ? 200 : 20_000), chunk: 6 }],
};

try {
  if (process.platform === 'linux')
    for (const [name, replies] of Object.entries(tasks)) {
      const both = { ours: () => peak('ours', replies), reference: () => peak('reference', replies) };
      report(compare(name, 'MB', await byTurns(5, both)));
      const throughPackage = { ours: () => peak('ours', replies, true), reference: () => peak('reference', replies) };
      report(compare(`${name}Package`, 'MB', await byTurns(5, throughPackage)));
    }
  // Other systems have no /proc to read the memory of a tree from.
  else report(compare('peakMemoryUnavailable', 'MB', { ours: [0], reference: [1] }));
} finally {
  lab.remove();
}
