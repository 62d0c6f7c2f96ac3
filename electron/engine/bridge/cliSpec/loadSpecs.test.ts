import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isRunning } from '../../base/processMark.ts';
import { type LoadParts, loadSpecs } from './loadSpecs.ts';
import { fileProbeCache, memoryProbeCache } from './probeCache.ts';
import { type ProgramRequest, runProgram } from './program.ts';
import { searchPath } from './resolveBinary.ts';
import type { CliSpec } from './specTypes.ts';
import { sampleSpec } from './testing/sampleSpec.ts';

let root = '';
let started: string[] = [];

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'vise-specs-')));
  started = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const places = { project: 'project/.cli-bridge/specs', user: 'user/specs', bundled: 'bundled/specs' } as const;

function write(path: string, text: string): string {
  const full = join(root, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

function putSpec(place: keyof typeof places, version: string, changes: Partial<CliSpec> = {}, folder?: string): string {
  const spec = sampleSpec(changes);
  return write(`${places[place]}/${folder ?? spec.name}/${version}.json`, JSON.stringify(spec));
}

function putBinary(script: string, path = 'bin/mytool'): void {
  chmodSync(write(path, `#!/bin/sh\n${script}\n`), 0o755);
}

const versionScript = (version: string): string =>
  `[ "$1" = --version ] && { echo "mytool ${version}"; exit 0; }; exit 1`;

/** Each start goes through `run`, where it is counted; the way that is taken elsewhere has a test of its own. */
function load(changes: Partial<LoadParts> = {}) {
  const run = (request: ProgramRequest) => {
    started.push(request.args.join(' '));
    return runProgram(request);
  };
  return loadSpecs({
    folders: [
      { path: join(root, places.project), source: 'project', inside: join(root, 'project') },
      { path: join(root, places.user), source: 'user' },
      { path: join(root, places.bundled), source: 'bundled' },
    ],
    search: searchPath({ PATH: join(root, 'bin') }),
    project: join(root, 'project'),
    trusts: () => Promise.resolve(true),
    cache: memoryProbeCache(),
    env: { PATH: process.env['PATH'] ?? '' },
    cwd: root,
    run,
    ask: changes.run ?? run,
    ...changes,
  });
}

const shown = ({ specs }: Awaited<ReturnType<typeof load>>) =>
  specs.map(({ spec, path, installedVersion, exactVersionMatch, source }) => ({
    name: spec.name,
    path: path.slice(root.length + 1),
    installedVersion,
    exactVersionMatch,
    source,
  }));

describe.skipIf(process.platform === 'win32')('loadSpecs (POSIX only: its binaries are sh scripts)', () => {
  test('the exact version of the strongest folder wins', async () => {
    putBinary(versionScript('1.2'));
    putSpec('project', '1.2');
    putSpec('user', '1.2');
    const loaded = await load();
    expect([shown(loaded), loaded.errors, loaded.notes]).toEqual([
      [
        {
          name: 'mytool',
          path: 'project/.cli-bridge/specs/mytool/1.2.json',
          installedVersion: '1.2',
          exactVersionMatch: true,
          source: 'project',
        },
      ],
      [],
      ['[cli-bridge] Loaded 1 tool specs from 2 directories'],
    ]);
  });

  test('a broken spec does not hide the one of a weaker folder', async () => {
    putBinary(versionScript('1.2'));
    write(`${places.project}/mytool/1.2.json`, '{"name": ');
    putSpec('user', '1.2');
    const loaded = await load();
    expect([
      shown(loaded).map(({ source }) => source),
      loaded.errors.map(({ message }) => message.split(':')[0]),
    ]).toEqual([['user'], ['Invalid JSON']]);
  });

  test.each([
    ['an unknown binary', () => putSpec('user', '1.0'), 'Binary not found: mytool'],
    [
      'an invalid spec',
      () => (putBinary(versionScript('1.0')), write(`${places.user}/mytool/1.0.json`, '{}')),
      'Spec validation failed',
    ],
    [
      'another name than its folder',
      () => (putBinary(versionScript('1.0'), 'bin/other'), putSpec('user', '1.0', {}, 'other')),
      'Spec validation failed: name',
    ],
    ['a binary without a version', () => (putBinary('exit 0'), putSpec('user', '1.0')), 'Version detection failed'],
    [
      'a file over 1 MiB',
      () => write(`${places.user}/mytool/1.0.json`, ' '.repeat(1024 * 1024 + 1)),
      'The file is larger than 1 MiB',
    ],
  ])('%s is a load error', async (_, arrange, message) => {
    arrange();
    const { specs, errors } = await load();
    expect([specs, errors[0]?.message.slice(0, message.length)]).toEqual([[], message]);
  });

  test('J1: nothing of a project is started before it is trusted', async () => {
    putBinary(versionScript('1.2'));
    putSpec('project', '1.2');
    const { specs, errors, untrusted } = await load({ trusts: () => Promise.resolve(false) });
    expect([specs, errors, untrusted.map(({ tool }) => tool), started]).toEqual([[], [], ['mytool'], []]);
  });

  test('J2: what is said of one spec counts before the trust in the project, for that content alone', async () => {
    putBinary(versionScript('1.2'));
    putSpec('project', '1.2');
    const no = { trusts: () => Promise.resolve(false) };
    const [asked] = (await load(no)).untrusted;
    const of = (trusted: boolean) => (tool: string, hash: string) =>
      tool === 'mytool' && hash === asked?.hash ? trusted : undefined;
    const names = async (parts: Parameters<typeof load>[0]): Promise<readonly unknown[]> => {
      const { specs, untrusted } = await load(parts);
      return [specs.map(({ spec }) => spec.name), untrusted.map(({ refused }) => refused)];
    };
    expect([asked?.refused, asked?.spec?.name]).toEqual([false, 'mytool']);
    expect(await names({ ...no, decided: of(true) })).toEqual([['mytool'], []]);
    expect(await names({ decided: of(false) })).toEqual([[], [true]]);
    putSpec('project', '1.2', { description: 'changed' });
    expect(await names({ ...no, decided: of(true) })).toEqual([[], [false]]);
    expect(await names({ decided: of(false) })).toEqual([['mytool'], []]);
  });

  test('J1: a binary that lies in the project is not probed for a spec of the user either', async () => {
    putBinary(versionScript('1.2'), 'project/bin/mytool');
    putSpec('user', '1.2');
    const search = searchPath({ PATH: join(root, 'project/bin') });
    const asked = await load({ search, trusts: () => Promise.resolve(false) });
    expect([asked.specs, asked.untrusted.map(({ tool }) => tool), started]).toEqual([[], ['mytool'], []]);
    expect((await load({ search })).specs.map(({ binaryInProject }) => binaryInProject)).toEqual([true]);
  });

  test('J2: the hash that is trusted changes with any byte of any spec', async () => {
    putBinary(versionScript('1.2'));
    const hashes: (string | undefined)[] = [];
    const trusts = (hash: string | undefined) => Promise.resolve(hashes.push(hash) > 0);
    putSpec('project', '1.2');
    await load({ trusts });
    await load({ trusts });
    putSpec('project', '1.2', { description: 'changed' });
    await load({ trusts });
    putSpec('project', '1.1');
    await load({ trusts });
    expect([hashes[0] === hashes[1], new Set(hashes).size]).toEqual([true, 3]);
  });

  test('J2: a spec of a project may not name its binary by a path, one of the user may by an absolute one', async () => {
    putBinary(versionScript('1.2'), 'elsewhere/mytool');
    const binary = join(root, 'elsewhere/mytool');
    putSpec('project', '1.2', { binary });
    const refused = await load();
    putSpec('user', '1.2', { binary });
    expect([
      refused.specs,
      refused.errors[0]?.message.split(';')[0],
      shown(await load()).map(({ source }) => source),
    ]).toEqual([[], `The binary ${binary} is a path`, ['user']]);
  });

  test('P5: specs behind a link that leaves the project are not read', async () => {
    putBinary(versionScript('1.2'));
    putSpec('user', '1.2');
    mkdirSync(join(root, 'project/.cli-bridge'), { recursive: true });
    symlinkSync(join(root, places.user), join(root, places.project));
    const { errors, specs } = await load();
    expect([errors.map(({ message }) => message), specs.map(({ source }) => source)]).toEqual([
      ['A link leads out of the project; its specs are not read'],
      ['user'],
    ]);
  });

  test('J4: the words of version detection never reach a shell', async () => {
    putBinary('printf "1.2 %s" "$*" > "$0.log"; echo 1.2');
    putSpec('user', '1.2', { versionDetection: { command: '--v; touch x `id`', pattern: '(1\\.2)' } });
    await load();
    expect(readFileSync(join(root, 'bin/mytool.log'), 'utf8')).toBe('1.2 --v; touch x `id`');
  });

  test('J5: a pattern that backtracks without end falls through to the usual ones', async () => {
    putBinary(`echo "${'1'.repeat(60)} 1.2"`);
    putSpec('user', '1.2', { versionDetection: { command: '--version', pattern: '^(\\d+|\\d+)+$' } });
    expect(shown(await load()).map(({ installedVersion }) => installedVersion)).toEqual(['1.2']);
  });

  const manifest = (script: string): string =>
    `${versionScript('2.0')}`.replace('exit 1', `[ "$1" = cli-bridge-manifest ] || exit 1; ${script}`);

  test('a stale spec is replaced by what the binary says of itself', async () => {
    const fresh = JSON.stringify(sampleSpec({ description: 'fresh' }));
    putBinary(manifest(`printf '%s' '${fresh.replaceAll('\\', '\\\\').replaceAll('\\\\', '\\')}'`));
    putSpec('user', '1.0');
    const loaded = await load();
    expect([shown(loaded), loaded.notes[0], readFileSync(join(root, places.user, 'mytool/2.0.json'), 'utf8')]).toEqual([
      [
        {
          name: 'mytool',
          path: `${places.user}/mytool/2.0.json`,
          installedVersion: '2.0',
          exactVersionMatch: true,
          source: 'user',
        },
      ],
      '[cli-bridge] auto-refreshed spec for mytool to v2.0 (was v1.0)',
      fresh,
    ]);
  });

  test('a project is not written to: its refreshed spec goes to the user', async () => {
    putBinary(manifest(`printf '%s' '${JSON.stringify(sampleSpec())}'`));
    putSpec('project', '1.0');
    await load();
    expect([
      existsSync(join(root, places.project, 'mytool/2.0.json')),
      existsSync(join(root, places.user, 'mytool/2.0.json')),
    ]).toEqual([false, true]);
  });

  test('a fresh spec that cannot be kept serves the run all the same', async () => {
    putBinary(manifest(`printf '%s' '${JSON.stringify(sampleSpec({ description: 'fresh' }))}'`));
    putSpec('project', '1.0');
    write('user', 'a file where the folder should be');
    const { specs, notes } = await load();
    expect([
      specs[0]?.spec.description,
      notes[0]?.startsWith('[cli-bridge] the refreshed spec of mytool could not be kept'),
    ]).toEqual(['fresh', true]);
  });

  test.each([
    ['prints 6 MB', 'head -c 6291456 /dev/zero', 'the manifest is larger than 5 MiB'],
    [
      'changes the name',
      `printf '%s' '${JSON.stringify(sampleSpec({ name: 'other' }))}'`,
      'Spec validation failed: name',
    ],
    ['is no JSON', 'echo hello', 'Invalid JSON'],
    ['is not known', 'exit 2', 'cli-bridge-manifest is not a command of it'],
  ])('a manifest that %s keeps the old spec', async (_, script, reason) => {
    putBinary(manifest(script));
    putSpec('user', '1.0');
    const loaded = await load();
    expect([
      shown(loaded).map(({ exactVersionMatch }) => exactVersionMatch),
      loaded.notes.length,
      loaded.notes[1]?.includes(reason),
    ]).toEqual([[false], 3, true]);
  });

  test('a program that is being written is asked again', async () => {
    putBinary(versionScript('1.2'));
    putSpec('user', '1.2');
    let busy = 2;
    const run = (request: ProgramRequest) => {
      busy -= 1;
      const failure = `spawn ${request.file} ETXTBSY`;
      return busy >= 0
        ? Promise.resolve({ stdout: '', stderr: '', exitCode: null, signal: null, ended: 'failed' as const, failure })
        : runProgram(request);
    };
    expect((await load({ run })).specs.map(({ installedVersion }) => installedVersion)).toEqual(['1.2']);
  });

  test('a manifest that never ends keeps the old spec', async () => {
    putBinary(versionScript('1.2'));
    putSpec('user', '1.0');
    const run = (request: ProgramRequest) =>
      request.args[0] === 'cli-bridge-manifest'
        ? Promise.resolve({ stdout: '{', stderr: '', exitCode: null, signal: null, ended: 'timeout' as const })
        : runProgram(request);
    const loaded = await load({ run });
    expect([shown(loaded).map((one) => one.exactVersionMatch), loaded.notes[1]?.includes('no answer in 5 s')]).toEqual([
      [false],
      true,
    ]);
  });

  test('two that refresh a spec at once leave it whole', async () => {
    const fresh = JSON.stringify(sampleSpec({ binaryVersion: '1.2', description: 'fresh' }));
    putBinary(manifest(`printf '%s' '${fresh}'`));
    putSpec('user', '1.0');
    const loads = await Promise.all([load(), load(), load()]);
    expect(loads.map(({ specs }) => specs.map((one) => one.exactVersionMatch))).toEqual([[true], [true], [true]]);
    expect(JSON.parse(readFileSync(loads[0]?.specs[0]?.path ?? '', 'utf8'))).toEqual(JSON.parse(fresh));
  });

  test('what is late is an error and costs the others nothing', async () => {
    putBinary(versionScript('1.0'));
    putSpec('user', '1.0');
    putBinary('sleep 60', 'bin/slow');
    putSpec('user', '1.0', { name: 'slow', binary: 'slow' });
    const stop = new AbortController();
    const run = (request: ProgramRequest) => {
      if (request.file.endsWith('slow')) stop.abort();
      return runProgram(request);
    };
    const { specs, errors } = await load({ run, signal: stop.signal });
    const fast = specs.length + errors.filter(({ specPath }) => specPath.includes('mytool')).length;
    expect([errors.some(({ message }) => message === 'slow did not load within 20 s'), fast]).toEqual([true, 1]);
  });

  test('versions are asked through small processes, which are gone afterwards', async () => {
    for (const name of ['one', 'two', 'three']) {
      putBinary(`echo $PPID >> '${join(root, 'parents')}'; ${versionScript('1.0')}`, `bin/${name}`);
      putSpec('user', '1.0', { name, binary: name });
    }
    const { specs } = await load({ ask: undefined });
    const parents = readFileSync(join(root, 'parents'), 'utf8').trim().split('\n').map(Number);
    expect([specs.length, started, parents.includes(process.pid)]).toEqual([3, [], false]);
    for (const pid of parents) await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test('at most four programs run at once', async () => {
    let running = 0;
    let most = 0;
    for (let i = 0; i < 8; i += 1) {
      putBinary(versionScript('1.0'), `bin/tool${i}`);
      putSpec('user', '1.0', { name: `tool${i}`, binary: `tool${i}` });
    }
    const run = async (request: ProgramRequest) => {
      running += 1;
      most = Math.max(most, running);
      const outcome = await runProgram(request);
      running -= 1;
      return outcome;
    };
    expect([(await load({ run })).specs.length, most]).toEqual([8, 4]);
  });

  test('a hostile version never becomes a file name', async () => {
    putBinary(manifest(`printf '%s' '${JSON.stringify(sampleSpec())}'`).replace('mytool 2.0', 'mytool ../../evil'));
    putSpec('user', '1.0', { versionDetection: { command: '--version', pattern: 'mytool (\\S+)' } });
    const loaded = await load();
    expect([existsSync(join(root, 'evil.json')), shown(loaded).map(({ path }) => path)]).toEqual([
      false,
      [`${places.user}/mytool/1.0.json`],
    ]);
  });

  test('what was learnt is kept until the binary changes', async () => {
    putBinary(versionScript('1.2'));
    putSpec('user', '1.0');
    const file = join(root, 'probes.json');
    await load({ cache: fileProbeCache(file) });
    const cold = started.length;
    await load({ cache: fileProbeCache(file) });
    const warm = started.length;
    putBinary(versionScript('1.33'));
    const loaded = await load({ cache: fileProbeCache(file) });
    expect([cold, warm - cold, shown(loaded).map(({ installedVersion }) => installedVersion)]).toEqual([
      2,
      0,
      ['1.33'],
    ]);
  });

  test('J2: a binary that was replaced by one of the same size and time is asked anew', async () => {
    putBinary(versionScript('1.2'));
    putSpec('user', '1.0');
    const file = join(root, 'probes.json');
    const path = (await load()).specs[0]?.resolvedBinaryPath ?? '';
    utimesSync(path, 1_000, 1_000);
    await load({ cache: fileProbeCache(file) });
    const before = statSync(path);
    putBinary(versionScript('9.9'));
    utimesSync(path, 1_000, 1_000);
    const after = statSync(path);
    const loaded = await load({ cache: fileProbeCache(file) });
    expect([after.size, after.mtimeMs, shown(loaded).map(({ installedVersion }) => installedVersion)]).toEqual([
      before.size,
      1_000_000,
      ['9.9'],
    ]);
  });
});
