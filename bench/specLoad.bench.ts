import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSpecs } from '../electron/engine/bridge/cliSpec/loadSpecs.ts';
import { fileProbeCache, memoryProbeCache, type ProbeCache } from '../electron/engine/bridge/cliSpec/probeCache.ts';
import { runProgram } from '../electron/engine/bridge/cliSpec/program.ts';
import { byTurns, compare, isSmoke, report } from './measure/report.ts';

// How long 200 specs of 200 programs take to load, with what the programs were asked before (warm) and without (cold:
// each is started for its version, four at a time). Targets: 300 ms warm, 2 s cold. The reference starts the same
// programs for their versions in the same number at a time, without reading a spec.

const count = isSmoke ? 4 : 200;
const folder = mkdtempSync(join(tmpdir(), 'vise-bench-'));
const bin = join(folder, 'bin');
const specs = join(folder, 'specs');
const names = Array.from({ length: count }, (_, at) => `program${at}`);
const env = { PATH: `${bin}:/usr/bin:/bin` };

function write(name: string): void {
  const program = join(bin, name);
  writeFileSync(program, '#!/bin/sh\necho 1.2.3\n');
  chmodSync(program, 0o755);
  mkdirSync(join(specs, name), { recursive: true });
  const commands = Array.from({ length: 10 }, (_, at) => ({
    name: `command${at}`,
    description: 'One of ten',
    usage: `${name} command${at} <file>`,
    args: [{ name: 'file', description: 'A file', type: 'path', required: true }],
    flags: Array.from({ length: 5 }, (_unused, flag) => ({
      name: `flag${flag}`,
      description: 'One of five',
      type: 'string',
      required: false,
    })),
    output: { format: 'text' },
  }));
  writeFileSync(
    join(specs, name, '1.2.3.json'),
    JSON.stringify({
      name,
      specVersion: '1',
      version: '1.2.3',
      binary: name,
      binaryVersion: '1.2.3',
      description: `${name} for a benchmark`,
      versionDetection: { command: '--version', pattern: '(\\d+\\.\\d+\\.\\d+)' },
      triggers: { positive: [`${name}: a benchmark`], negative: [`tasks outside ${name}`] },
      commands,
    }),
  );
}

async function load(cache: ProbeCache): Promise<number> {
  const started = performance.now();
  const loaded = await loadSpecs({
    folders: [{ path: specs, source: 'user' }],
    search: { folders: [bin], endings: [] },
    cache,
    run: runProgram,
    env,
    cwd: folder,
    trusts: () => Promise.resolve(true),
  });
  const took = performance.now() - started;
  if (loaded.specs.length !== count) throw new Error(JSON.stringify(loaded.errors.slice(0, 3)));
  return took;
}

async function askAll(): Promise<number> {
  const started = performance.now();
  const queue = names.values();
  const worker = async (): Promise<void> => {
    for (const name of queue)
      await runProgram({
        file: join(bin, name),
        args: ['--version'],
        cwd: folder,
        env,
        timeoutMs: 5_000,
        maxBytes: 1_000,
      });
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  return performance.now() - started;
}

try {
  mkdirSync(bin);
  for (const name of names) write(name);
  const kept = join(folder, 'probes.json');
  await load(fileProbeCache(kept));
  report(
    compare(
      'specLoadWarm',
      'ms',
      await byTurns(10, { ours: () => load(fileProbeCache(kept)), reference: () => load(memoryProbeCache()) }),
    ),
  );
  report(compare('specLoadCold', 'ms', await byTurns(5, { ours: () => load(memoryProbeCache()), reference: askAll })));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
