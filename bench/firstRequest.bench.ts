import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLab } from './measure/agentRun.ts';
import { byTurns, compare, isSmoke, report } from './measure/report.ts';

// From the start of `vise exec` to the model's first request, against a bare program on node:http; in a small project,
// through the `openai` package, and in one of 50,000 files. And how large that request is, though there are dozens of tools.

const runs = 15;
const lab = openLab({ 'README.md': '# A project\n' });
const replies = [{ text: 'Done.' }];

async function first(which: 'ours' | 'reference', asOpenAi = false): Promise<number> {
  return (await lab.run(which, replies, { asOpenAi })).requestsAt[0] ?? Number.NaN;
}
const both = { ours: () => first('ours'), reference: () => first('reference') };

try {
  report(compare('firstRequest', 'ms', await byTurns(runs, both)));
  const throughPackage = { ours: () => first('ours', true), reference: () => first('reference') };
  report(compare('firstRequestPackage', 'ms', await byTurns(runs, throughPackage)));
  const ours = await lab.run('ours', replies);
  const reference = await lab.run('reference', replies);
  report(
    compare('firstRequestSize', 'KB', {
      ours: [ours.firstRequestBytes / 1000],
      reference: [reference.firstRequestBytes / 1000],
    }),
  );

  const folders = isSmoke ? 5 : 500;
  for (let folder = 0; folder < folders; folder += 1) {
    const path = join(lab.project, 'src', `part${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < 100; file += 1)
      writeFileSync(join(path, `file${file}.ts`), `export const a = ${file};\n`);
  }
  report(compare('firstRequestLarge', 'ms', await byTurns(runs, both)));
} finally {
  lab.remove();
}
