import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { detectVersion } from './probe.ts';
import { memoryProbeCache, type ProbeCache } from './probeCache.ts';
import { runProgram } from './program.ts';
import { resolveBinary } from './resolveBinary.ts';

let root = '';
let cache: ProbeCache;
let started = 0;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'vise-shim-')));
  for (const folder of ['bin', 'real', 'other']) mkdirSync(join(root, folder));
  cache = memoryProbeCache();
  started = 0;
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const longAgo = new Date('1985-10-26T08:15:00Z'); // the time that npm gives all files of a package

function put(path: string, script: string): string {
  const file = join(root, path);
  rmSync(file, { force: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  utimesSync(file, longAgo, longAgo);
  return file;
}

/** The version that `tool` tells, as it is remembered. */
async function versionOf(program = 'bin/tool'): Promise<string> {
  const binary = resolveBinary(join(root, program), { folders: [], endings: [] });
  if (!binary.ok) return binary.error.message;
  const env = { PATH: `${join(root, 'other')}:${process.env['PATH'] ?? ''}` };
  const run: typeof runProgram = (request) => {
    started += 1;
    return runProgram(request);
  };
  const version = await detectVersion(binary.value, [], { run, env, cwd: root, cache });
  return version.ok ? version.value : version.error.message;
}

describe.skipIf(process.platform === 'win32')('the version of a program (POSIX only: sh scripts)', () => {
  test('is remembered while the program is the same', async () => {
    put('bin/tool', 'echo 1.0');
    expect([await versionOf(), await versionOf(), started]).toEqual(['1.0', '1.0', 1]);
  });

  test('is asked again when the file was replaced by one of the same size and time', async () => {
    put('bin/tool', 'echo 1.0');
    const before = await versionOf();
    put('bin/tool', 'echo 2.0');
    expect([before, await versionOf()]).toEqual(['1.0', '2.0']);
  });

  test.each([
    ['a path', 'real/tool', (target: string) => `exec "${target}" "$@"`],
    ['a place beside itself', 'real/tool', () => 'basedir=$(dirname "$0")\n"$basedir/../real/tool" "$@"'],
    ['a name of the search path', 'other/real-tool', () => 'exec real-tool "$@"'],
  ])('is asked again when what a shim hands over to by %s has changed', async (_, place, shim) => {
    const target = put(place, 'echo 1.0');
    put('bin/tool', shim(target));
    const before = [await versionOf(), await versionOf(), started];
    put(place, 'echo 2.0');
    expect([...before, await versionOf()]).toEqual(['1.0', '1.0', 1, '2.0']);
  });

  test('is asked each time where a shim chooses by something that cannot be told', async () => {
    put('real/tool', 'echo 1.0');
    put('other/tool', 'echo 2.0');
    put('bin/tool', 'exec "$(cat "${0%/*}"/../chosen)/tool" "$@"');
    writeFileSync(join(root, 'chosen'), join(root, 'real'));
    const before = await versionOf();
    writeFileSync(join(root, 'chosen'), join(root, 'other'));
    expect([before, await versionOf()]).toEqual(['1.0', '2.0']);
  });

  test('is asked each time where one program stands under many names', async () => {
    symlinkSync('/bin/echo', join(root, 'bin/chosen'));
    await versionOf('bin/chosen');
    const once = started;
    await versionOf('bin/chosen');
    expect(started).toBe(2 * once);
  });
});
