import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type TestBench, testBench } from '../engineForTest.ts';
import type { Tried } from './judgedAttacks.ts';
import type { Seeded } from './seeded.ts';

const outsideSecret = 'outsideSecretPlugh';
const deniedSecret = 'deniedSecretXyzzy';

/** A project that lies among things which must neither be read nor changed. */
export interface Ground {
  readonly bench: TestBench;
  /** What is broken by now; undefined while everything is as it was. */
  broken(): string | undefined;
}

const guardedFiles = ['.git/config', '.vscode/tasks.json', '.github/workflows/ci.yml', '.mcp.json', 'private/key.txt'];

/** Everything lies in a temporary folder of the test's own. `isPersonThere`: what is asked waits for an answer. */
export function prepareGround(isPersonThere: boolean): Ground {
  const bench = testBench(
    {
      'src/a.ts': 'export const one = 1;\n',
      'src/long.ts': `${'a'.repeat(20_000)}!\n`,
      'private/key.txt': `${deniedSecret}\n`,
      '.vscode/tasks.json': '{}\n',
      '.github/workflows/ci.yml': 'on: push\n',
      '.mcp.json': '{}\n',
    },
    isPersonThere ? {} : { allow: 'dangerous', interactive: false },
  );
  const { project } = bench;
  execFileSync('git', ['init', '--quiet', project]);
  const outside = join(project, '..', 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret.txt'), `${outsideSecret}\n`);
  symlinkSync(outside, join(project, 'out'));
  symlinkSync(join(outside, 'secret.txt'), join(project, 'link.txt'));
  symlinkSync(join(outside, 'new.txt'), join(project, 'dangling'));
  symlinkSync('../private/key.txt', join(project, 'src/key.txt'));
  if (process.platform !== 'win32') {
    symlinkSync('/dev/zero', join(project, 'zero'));
    execFileSync('mkfifo', [join(project, 'pipe')]);
    symlinkSync('loop', join(project, 'loop'));
    const server = createServer().listen(join(project, 'socket'));
    onTestFinished(() => void server.close());
  }
  const rules = JSON.stringify({ rules: [{ effect: 'deny', match: { path: 'private/**' } }] });
  mkdirSync(bench.ports.places.config, { recursive: true });
  writeFileSync(join(bench.ports.places.config, 'rules.json'), rules);
  const rulesFile = join(bench.ports.places.config, 'rules.json');
  const seen = (): string =>
    JSON.stringify([
      readdirSync(outside),
      ...[join(outside, 'secret.txt'), rulesFile, ...guardedFiles.map((name) => join(project, name))].map((name) =>
        readFileSync(name, 'utf8'),
      ),
    ]);
  const before = seen();
  return {
    bench,
    broken() {
      const now = seen();
      return now === before ? undefined : `something was changed: ${now}`;
    },
  };
}

const twists: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => `./${path}`,
  (path) => `src/../${path}`,
  (path) => path.replaceAll('/', '//'),
  (path) => path.replaceAll('/', '/./'),
  (path) => `${'src/../'.repeat(40)}${path}`,
  (path) => path.replaceAll('/', '\\'),
  (path) => path.replaceAll('.', '%2e'),
  (path) => `${path}/`,
  (path) => `${path} `,
  (path) => `${path}\0.txt`,
  (path) => path.toUpperCase(),
  (path) => path.normalize('NFD'),
  (path) => `file://${path}`,
];

const targets = (project: string): readonly string[] => [
  ...[
    '../outside/secret.txt',
    'out/secret.txt',
    'out/new.txt',
    'out',
    'link.txt',
    'dangling',
    'pipe',
    'zero',
    'socket',
    'loop',
    '/dev/fd/0',
    '/dev/tty',
    '/proc/self/mem',
    '..',
    '.',
  ],
  ...[
    'private/key.txt',
    'src/key.txt',
    'private',
    '.git/config',
    '.vscode/tasks.json',
    '.vise/rules.json',
    '.mcp.json',
  ],
  ...[join(project, '../outside/secret.txt'), '/proc/self/environ', '/etc/passwd', '~/.ssh/id_rsa', '\\\\?\\C:\\x'],
];

export const tools: readonly (readonly [tool: string, input: (path: string) => object])[] = [
  ['read_file', (filePath) => ({ filePath })],
  ['write_file', (filePath) => ({ filePath, content: 'attacked\n' })],
  ['edit_file', (filePath) => ({ filePath, oldStr: 'Secret', newStr: 'attacked' })],
  ['edit_range', (filePath) => ({ filePath, startLine: 1, endLine: 1, content: 'attacked' })],
  ['insert_at', (filePath) => ({ filePath, lineNumber: 1, content: 'attacked' })],
  ['delete_range', (filePath) => ({ filePath, startLine: 1, endLine: 1 })],
  ['get_file_info', (filePath) => ({ filePath })],
  ['list_symbols', (filePath) => ({ filePath })],
  ['list_directory', (path) => ({ path, recursive: true, includeHidden: true })],
  ['grep_search', (path) => ({ pattern: 'Secret|root:', path })],
  ['search_files', (path) => ({ pattern: '**/*', path })],
  ['find_symbol', (path) => ({ symbol: 'one', path })],
  ['git_diff', (path) => ({ files: [path] })],
  ['git_log', (path) => ({ file: path })],
  ['git_stage', (path) => ({ files: [path] })],
  ['git_blame', (path) => ({ file: path })],
  ['run', (path) => ({ command: 'git status', cwd: path })],
  ['lint', (path) => ({ command: `cat '${path.replaceAll("'", '')}'`, projectPath: 'src' })],
  ['assess_patch_risk', (path) => ({ diff: patchOf(path) })],
  ['apply_unified_diff', (path) => ({ diff: patchOf(path) })],
  ['find_references', (path) => ({ symbol: 'one', path })],
  ['detect_project', (projectPath) => ({ projectPath })],
  ['git_status', (repoPath) => ({ repoPath })],
  ['git_commit', (path) => ({ message: 'attacked', stageFiles: [path] })],
  ['git_unstage', (path) => ({ files: [path] })],
];

const patchOf = (path: string): string => `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+attacked\n`;

/** P1 to P8, P11, C11: every tool with every spelling of what lies outside, is protected, denied, or no plain file. */
export async function hostilePath({ bench, broken }: Ground, { pick }: Seeded): Promise<Tried> {
  const [tool, input] = pick(tools);
  const path = pick(twists)(pick(targets(bench.project)));
  const given = input(path);
  const attack = `${tool} ${JSON.stringify(given)}`;
  // A command may read what lies outside: that is asked for by its words, and only the sandbox is a boundary there.
  const isCommand = tool === 'lint' && !/private|key\.txt/i.test(path);
  if (isCommand && !path.includes('\0')) return { attack, broken: undefined };
  const told = await callOf(bench, tool, given);
  return { attack, broken: leak(told) ?? broken() };
}

const sweeps = [
  ...['grep -rn Secret .', 'cat private/key.txt', "cat pri'v'ate/key.txt", 'cat pri*/k*', 'cat {private,src}/key.txt'],
  ...[
    'cat src/key.txt',
    'D=private; cat $D/key.txt',
    'cd private && cat key.txt',
    'cat < private/key.txt',
    'rg Secret',
  ],
  ...[
    'find . -name key.txt -exec cat {} +',
    'find private -type f | xargs cat',
    'tar cf - .',
    'cp -r private src/copy',
  ],
  ...['git grep --no-index Secret', 'git diff --no-index /dev/null private/key.txt', 'head -c 99 ./private//key.txt'],
  ...[
    'diff -r private src',
    'sed -n p private/key.txt',
    'awk 1 private/key.txt',
    'sort private/key.txt',
    'ls | xargs cat',
  ],
];

/** C11: commands that show what is denied, by name or along with everything else. */
export async function deniedCommand({ bench, broken }: Ground, { pick }: Seeded): Promise<Tried> {
  const command = `${pick(['', 'true && ', 'nice ', 'env A=1 '])}${pick(sweeps)}`;
  const told = await callOf(bench, 'run', { command });
  return { attack: command, broken: leak(told) ?? broken() };
}

/** Expressions and globs that take a backtracking reader without end. */
const explosions: readonly (readonly [tool: string, input: object])[] = [
  ...[
    '(a+)+$',
    '(a|aa)+$',
    '(.*a){20}b',
    '(a?){40}a{40}$',
    'a{900}{900}',
    '(?=a)*(a*)*b',
    '\\p{',
    '[',
    '(a*)*\\1$',
  ].map((pattern) => ['grep_search', { pattern, path: 'src' }] as const),
  ...['*a*a*a*a*a*a*a*a*b', '{a,b}'.repeat(24), '**/'.repeat(60), '[', '!(a|b)*'.repeat(12), '?'.repeat(4_000)].map(
    (pattern) => ['search_files', { pattern }] as const,
  ),
  ...['(a+)+$', 'a'.repeat(100_000), '$^'].flatMap((symbol) => [
    ['find_symbol', { symbol }] as const,
    ['find_references', { symbol }] as const,
  ]),
  ['search_codebase', { query: `${'a '.repeat(50_000)}` }],
];

/** J5: what is searched for ends the search, not the engine. */
export async function explodingSearch({ bench, broken }: Ground, { pick }: Seeded): Promise<Tried> {
  const [tool, input] = pick(explosions);
  const told = await callOf(bench, tool, input);
  return { attack: `${tool} ${JSON.stringify(input).slice(0, 200)}`, broken: leak(told) ?? broken() };
}

/** J5: values that are nested, long or of the wrong kind end the call and nothing else. */
export async function oddInput({ bench, broken }: Ground, { below, pick }: Seeded): Promise<Tried> {
  const depth = 1 + below(3_000);
  const nested: unknown = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
  const odd = pick<unknown>([
    nested,
    'x'.repeat(below(3_000_000)),
    -1,
    null,
    {},
    [],
    '\uD800',
    '',
    true,
    { __proto__: 1 },
  ]);
  const [tool, input] = pick(tools);
  const [name = 'filePath'] = Object.keys(input(''));
  const told = await callOf(bench, tool, pick<unknown>([{ ...input('src/a.ts'), [name]: odd }, odd, { odd }]));
  const alive = await callOf(bench, 'read_file', { filePath: 'src/a.ts' });
  const isAlive = alive.includes('export const') || alive.includes('attacked') || alive.includes('FILE_NOT_FOUND');
  return {
    attack: `${tool} with ${typeof odd}`,
    broken: leak(told) ?? (isAlive ? broken() : `the engine answers no more: ${alive}`),
  };
}

/** P9: between the question and the answer, the folder becomes a link that leads outside. */
export async function racedWrite({ bench, broken }: Ground, { below, pick }: Seeded): Promise<Tried> {
  const folder = `race${below(1_000_000)}`;
  const place = join(bench.project, folder);
  mkdirSync(place);
  writeFileSync(join(place, 'secret.txt'), 'mine\n');
  const [tool, input] = pick(tools.slice(1, 3));
  const given = { ...input(`${folder}/secret.txt`), ...(tool === 'edit_file' ? { oldStr: 'mine' } : {}) };
  const session = await bench.session([{ calls: [{ tool, input: given }] }, { text: 'Done.' }]);
  await session.send('go');
  const { call } = await session.next('permission.asked');
  const swaps = pick([true, false]);
  if (swaps) {
    renameSync(place, `${place}.old`);
    symlinkSync('../outside', place);
  }
  await bench.client.call('permission.answer', { session: session.id, call, decision: 'once' });
  await session.next('turn.finished');
  // P6: nor does taking it back lead there.
  if (!swaps) {
    rmSync(place, { recursive: true });
    symlinkSync('../outside', place);
    const [set] = session.mirror().changeSets;
    if (set) await bench.client.call('change.undo', { session: session.id, changeSet: set.id });
  }
  await bench.client.call('session.archive', { session: session.id, archived: true }).catch(() => undefined);
  return {
    attack: `${tool} ${folder}, ${swaps ? 'swapped while it waited' : 'undone through a link'}`,
    broken: broken(),
  };
}

export async function callOf(bench: TestBench, tool: string, input: unknown): Promise<string> {
  const limit = AbortSignal.timeout(30_000);
  const result = await bench.engine.callTool(bench.project, tool, input, limit);
  return limit.aborted ? 'it hangs' : JSON.stringify(result);
}

function leak(told: string): string | undefined {
  if (told === 'it hangs') return told;
  const shown = [outsideSecret, deniedSecret, 'root:x:0', '"code":"INTERNAL"', 'in a way it should not'];
  const found = shown.find((text) => told.includes(text));
  return found === undefined ? undefined : `it answers with ${found}: ${told.slice(0, 500)}`;
}
