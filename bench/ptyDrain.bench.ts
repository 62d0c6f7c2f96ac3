import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'node-pty';
import { openLab, stepsOf } from './measure/agentRun.ts';
import { byTurns, compare, isSmoke, report } from './measure/report.ts';

// A command that prints 64 MB in lines of 120 characters: from the model's reply to the next request, with the whole log
// on the disk, against node-pty alone, which drops what it reads. Start-up of the terminal is in both.

const megabytes = isSmoke ? 2 : 64;
const lab = openLab();
const line = `${'x'.repeat(119)}\n`;
const source = `const line = ${JSON.stringify(line)}.repeat(1000); let left = ${Math.round((megabytes * 1e6) / 120_000)};
const more = () => { while (left > 0) { left -= 1; if (!process.stdout.write(line)) return process.stdout.once('drain', more); } };
more();`;
writeFileSync(join(lab.project, 'print.js'), source);
const command = `"${process.execPath}" print.js`;
const replies = [{ calls: [{ tool: 'run', input: { command } }] }, { text: 'Done.' }];

async function ours(): Promise<number> {
  return stepsOf(await lab.run('ours', replies))[0] ?? Number.NaN;
}

function raw(): Promise<number> {
  return new Promise((resolve) => {
    const started = performance.now();
    const env = { PATH: process.env['PATH'] ?? '' };
    const terminal = spawn(process.execPath, ['print.js'], { cwd: lab.project, env, encoding: null });
    terminal.onData(() => undefined);
    terminal.onExit(() => resolve(performance.now() - started));
  });
}

try {
  report(compare('ptyDrain', 'ms', await byTurns(5, { ours, reference: raw })));
} finally {
  lab.remove();
}
