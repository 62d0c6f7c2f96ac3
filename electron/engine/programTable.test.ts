import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { madePage, stalePage } from '../../.setup/madePage.ts';
import { type ListedProgram, programTable } from '../../.setup/programTable.ts';
import { callsOf } from '../../shared/model/reduce.ts';
import { type Registered, registerBinary } from './bridge/cliSpec/scrape/register.ts';
import { type RecordedProgram, recordedPrograms, replay } from './bridge/cliSpec/scrape/testing/recordedHelps.ts';
import { testBench } from './testing/engineForTest.ts';

/** What the agent calls, and the words that the program must get. */
const calls: Readonly<Record<RecordedProgram, readonly ListedProgram['calls'][number][]>> = {
  git: [
    {
      tool: 'git_clone',
      input: { repo: 'https://example.org/a.git', depth: '1', 'recurse-submodules': 'lib' },
      argv: ['clone', '--recurse-submodules=lib', '--depth', '1', 'https://example.org/a.git'],
    },
    {
      tool: 'git_restore',
      input: { 'no-pager': true, staged: true, file: ['a.ts'] },
      argv: ['--no-pager', 'restore', '--staged', 'a.ts'],
    },
  ],
  gh: [
    {
      tool: 'gh_pr_list',
      input: { state: 'closed', label: ['bug', 'ui'], json: 'number,title', repo: 'cli/cli' },
      argv: [
        'pr',
        'list',
        '--json',
        'number,title',
        '--label',
        'bug',
        '--label',
        'ui',
        '--state',
        'closed',
        '--repo',
        'cli/cli',
      ],
    },
    {
      tool: 'gh_issue_view',
      input: { 'number-or-url': '7', comments: true },
      argv: ['issue', 'view', '--comments', '7'],
    },
    {
      tool: 'gh_pr_checks',
      input: { interval: '5', watch: true, required: true },
      argv: ['pr', 'checks', '--interval', '5', '--required', '--watch'],
    },
  ],
  npm: [
    {
      tool: 'npm_install',
      input: { 'package-spec': ['left-pad'], workspace: ['a', 'b'], 'save-dev': true, 'install-strategy': 'nested' },
      argv: [
        'install',
        '--install-strategy',
        'nested',
        '--workspace',
        'a',
        '--workspace',
        'b',
        '--save-dev',
        'left-pad',
      ],
    },
    { tool: 'npm_config_get', input: { key: ['registry'] }, argv: ['config', 'get', 'registry'] },
  ],
  docker: [
    {
      tool: 'docker_exec',
      input: { context: 'test', container: 'web', env: ['A=1', 'B=2'], args: ['ls', '/srv'] },
      argv: ['--context', 'test', 'exec', '--env', 'A=1', '--env', 'B=2', 'web', 'ls', '/srv'],
    },
    {
      tool: 'docker_container_ls',
      input: { all: true, format: 'json' },
      argv: ['container', 'ls', '--all', '--format', 'json'],
    },
  ],
  curl: [
    {
      tool: 'curl_run',
      input: { 'url-arg': 'http://localhost/', data: '-x', silent: true },
      argv: ['--data=-x', '--silent', 'http://localhost/'],
    },
  ],
  tar: [
    {
      tool: 'tar_run',
      input: { create: true, file: 'a.tar', exclude: '*.o', 'file-arg': ['src', 'docs'] },
      argv: ['--create', '--exclude=*.o', '--file=a.tar', 'src', 'docs'],
    },
  ],
  rg: [
    {
      tool: 'rg_run',
      input: { glob: ['*.ts', '!out'], 'max-count': 3, pattern: '-x', path: ['src'] },
      argv: ['--glob', '*.ts', '--glob', '!out', '--max-count', '3', '--', '-x', 'src'],
    },
  ],
  jq: [
    {
      tool: 'jq_run',
      input: { tab: true, arg: ['name', 'Ada', 'age', '36'], 'jq-filter': '.a', file: ['x.json'] },
      argv: ['--tab', '--arg', 'name', 'Ada', '--arg', 'age', '36', '.a', 'x.json'],
    },
  ],
  pandoc: [
    {
      tool: 'pandoc_run',
      input: { from: 'markdown', to: 'html', standalone: true, wrap: 'none', files: ['a.md'] },
      argv: ['--from=markdown', '--to=html', '--standalone', '--wrap=none', 'a.md'],
    },
  ],
  kubectl: [
    {
      tool: 'kubectl_exec',
      input: { namespace: 'dev', 'pod-or-type-name': 'web', args: ['ls', '-l'] },
      argv: ['exec', '--namespace=dev', 'web', '--', 'ls', '-l'],
    },
    {
      tool: 'kubectl_create_deployment',
      input: { name: 'web', image: ['nginx', 'sidecar'], replicas: 2, 'dry-run': 'client' },
      argv: ['create', 'deployment', '--dry-run=client', '--image=nginx', '--image=sidecar', '--replicas=2', 'web'],
    },
    { tool: 'kubectl_get', input: { output: 'json', args: ['pods'] }, argv: ['get', '--output=json', 'pods'] },
  ],
};

/** Registers a program by what it once answered; a stand-in of its name tells the words that it gets, an end of line after each. */
async function register(program: RecordedProgram, bin: string, userFolder: string): Promise<Registered> {
  writeFileSync(join(bin, program), '');
  chmodSync(join(bin, program), 0o755);
  const search = { folders: [bin], endings: [] };
  const parts = { run: replay(program), env: {}, search, userFolder, now: () => '2026-11-22T00:00:00.000Z' };
  const made = await registerBinary(program, parts);
  if (!made.ok) throw new Error(`${program}: ${made.error.message}`);
  const { command } = made.value.spec.versionDetection;
  const version = `[ "$*" = '${command}' ] && echo '${made.value.spec.binaryVersion}' && exit`;
  writeFileSync(join(bin, program), `#!/bin/sh\n${version}\nfor word; do printf '%s\\n' "$word"; done\n`);
  return made.value;
}

test.skipIf(process.platform === 'win32')(
  'programs that were registered by their help are called by the agent, as docs/programs.md tells (POSIX only: sh scripts)',
  { timeout: 120_000 },
  async () => {
    const bin = realpathSync(mkdtempSync(join(tmpdir(), 'vise-bin-')));
    onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
    const env: Record<string, string> = { PATH: `${bin}:${process.env['PATH'] ?? ''}` };
    const bench = testBench({}, { resources: join(bin, 'none'), env, interactive: false, allow: 'dangerous' });
    env['VISE_SCRIPT'] = join(dirname(bench.project), 'script.json');
    const { specs } = bench.ports.places;
    mkdirSync(specs, { recursive: true });
    const listed: ListedProgram[] = [];
    for (const program of recordedPrograms) {
      const { spec } = await register(program, bin, specs);
      const commands = spec.commands.map(({ name, args = [], flags = [] }) => ({
        name,
        args: args.map((arg) => arg.name),
        flags: flags.length,
      }));
      const { length: globals } = spec.globalFlags ?? [];
      listed.push({ name: program, version: spec.binaryVersion, commands, globals, calls: calls[program] });
    }
    const all = recordedPrograms.flatMap((program) => calls[program]);
    const replies = all.map(({ tool, input }) => ({ calls: [{ tool, input: { ...input } }] }));
    const session = await bench.session([...replies, { text: 'Done.' }]);
    await session.say('call them');
    const ran = callsOf(session.mirror()).map(({ tool, result }) => ({
      tool,
      argv: result?.success === true ? outputOf(result.data).trim().split('\n') : result?.error,
    }));
    expect(ran).toEqual(all.map(({ tool, argv }) => ({ tool, argv })));
    const page = madePage('programs.md', '.setup/programTable.ts', programTable(listed));
    expect(page.written, stalePage).toBe(page.fresh);
  },
);

function outputOf(data: unknown): string {
  return typeof data === 'object' && data !== null && 'output' in data ? String(data.output) : '';
}
