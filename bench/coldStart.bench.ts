import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { measureChild } from './measure/child.ts';
import { byTurns, compare, report } from './measure/report.ts';

// How long `vise --version` takes from start to end, against a Node that does nothing: what every command pays.

const cli = join(dirname(import.meta.dirname), 'out', 'cli.js');
const home = mkdtempSync(join(tmpdir(), 'vise-bench-'));
const env = { ...process.env, VISE_HOME: home };

async function wallOf(args: readonly string[]): Promise<number> {
  const { code, wallMs, stderr } = await measureChild(process.execPath, args, { env });
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${String(code)}: ${stderr}`);
  return wallMs;
}

try {
  const series = await byTurns(25, {
    ours: () => wallOf([cli, '--version']),
    reference: () => wallOf(['-e', '0']),
  });
  report(compare('coldStart', 'ms', series));
} finally {
  rmSync(home, { recursive: true, force: true });
}
