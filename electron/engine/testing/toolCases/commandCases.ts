import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorCode } from '../../../../shared/errorCode.ts';
import { createListSymbols } from '../../tools/project/listSymbols.ts';
import { createFindReferences } from '../../tools/search/findReferences.ts';
import { createFindSymbol } from '../../tools/search/findSymbol.ts';
import { runnerTrial } from '../../tools/testing/runnerTrial.ts';
import type { TestBench } from '../engineForTest.ts';
import { tryIn } from '../tryTool.ts';
import type { Input, ToolCase } from './toolCase.ts';

const signal = () => new AbortController().signal;

const wrongFolders = (tool: string, name: string, input: Input = {}): readonly ToolCase[] =>
  (
    [
      ['..', 'a path out of the project', 'PATH_TRAVERSAL_DETECTED'],
      ['none', 'a folder that is not there', 'DIRECTORY_NOT_FOUND'],
      ['a.txt', 'a file in place of a folder', 'NOT_A_DIRECTORY'],
    ] as const satisfies readonly (readonly [string, string, ErrorCode])[]
  ).map(([path, shows, code]) => ({ tool, shows, input: { ...input, [name]: path }, code, files: { 'a.txt': '' } }));

/** The engine ends between the question and the answer. */
function whileClosing(bench: TestBench, tool: string, input: Input) {
  const { engine, project } = bench;
  return engine.callTool(project, tool, input, signal(), {
    async ask() {
      await bench.restart();
      return 'allow';
    },
  });
}

const script = { 'tool.sh': '#!/bin/sh\n' };

/** What starting a command can end with. */
const starting = (tool: string, input: (command: string) => Input): readonly ToolCase[] => [
  ...wrongFolders(tool, tool === 'run' ? 'cwd' : 'projectPath', input('true')),
  { tool, shows: 'a program that is not there', input: input('no-such-program-anywhere'), code: 'COMMAND_NOT_FOUND' },
  {
    tool,
    shows: 'a file that is no program',
    input: input('./tool.sh'),
    code: 'NOT_EXECUTABLE',
    files: script,
    given: ({ project }) => chmodSync(join(project, 'tool.sh'), 0o644),
  },
  {
    tool,
    shows: 'an engine that closes',
    input: {},
    code: 'UNAVAILABLE',
    call: (bench) => whileClosing(bench, tool, input('true')),
  },
];

const runners: readonly ToolCase[] = (
  [
    ['run_tests', 'test', 'NO_TEST_COMMAND'],
    ['format', 'format', 'NO_FORMAT_COMMAND'],
    ['lint', 'lint', 'NO_LINT_COMMAND'],
    ['build', 'build', 'NO_BUILD_COMMAND'],
  ] as const
).flatMap(([tool, verb, missing]): readonly ToolCase[] => [
  {
    tool,
    shows: `the project’s own command to ${verb}`,
    input: {},
    files: { 'package.json': JSON.stringify({ scripts: { [verb]: 'exit 3' } }) },
    data: { passed: false, exitCode: 3, projectType: 'node' },
  },
  { tool, shows: 'a project without a command', input: {}, code: missing },
  ...starting(tool, (command) => ({ command })),
  {
    tool,
    shows: 'a command over its time',
    input: {},
    code: 'TIMEOUT',
    call: async () => (await runnerTrial({})).call(tool, { command: 'sleep 300 # at most 300 ms' }),
  },
]);

const system: readonly ToolCase[] = [
  {
    tool: 'run',
    shows: 'a program',
    input: { command: 'echo', args: ['a b', '$HOME'] },
    data: { exitCode: 0, stdout: 'a b $HOME\n', timedOut: false, mode: 'direct' },
  },
  {
    tool: 'run',
    shows: 'a command over its time',
    input: { command: 'sleep 300', timeout: 300 },
    code: 'TIMEOUT',
    data: { timedOut: true },
  },
  ...starting('run', (command) => ({ command })),
  {
    tool: 'ask_user',
    shows: 'a question',
    input: { question: 'Which?' },
    ports: { answer: 'this one' },
    data: { question: 'Which?', answer: 'this one', cancelled: false },
  },
  {
    tool: 'ask_user',
    shows: 'a question with likely answers',
    input: { question: 'Which?', choices: [' this one ', 'that one', 'this one', ' '] },
    ports: { answer: 'another' },
    data: { question: 'Which?', answer: 'another', cancelled: false },
  },
  {
    tool: 'ask_user',
    shows: 'several questions',
    input: { question: 'Which?', choices: ['a', 'b'], multiple: true, more: [{ question: 'How?' }] },
    ports: { answer: '1. Which?\na\n\n2. How?\nwell' },
    data: { question: 'Which?', answer: '1. Which?\na\n\n2. How?\nwell', cancelled: false },
  },
  {
    tool: 'update_todos',
    shows: 'a list',
    input: { todos: [{ content: ' Read it ', status: 'completed' }] },
    data: { todos: [{ content: 'Read it', status: 'completed' }] },
  },
  { tool: 'ask_user', shows: 'a question to nobody', input: { question: 'Which?' }, code: 'NO_USER_AVAILABLE' },
];

const ended = { code: 'UNAVAILABLE', message: 'The thread that parses source files ended' } as const;
const broken = {
  read: () => Promise.resolve({ ok: false, error: ended } as const),
  rest: () => Promise.resolve(),
  dispose: () => Promise.resolve(),
};

const source = 'export function parse() {}\n';

const looking: readonly ToolCase[] = [
  ...wrongFolders('check_permission', 'projectPath'),
  ...wrongFolders('detect_project', 'projectPath'),
  {
    tool: 'check_permission',
    shows: 'one tool',
    input: { toolName: 'lint' },
    data: { toolName: 'lint', granted: false, level: 'moderate' },
  },
  { tool: 'detect_project', shows: 'a project', input: {}, files: { 'go.mod': '' }, data: { type: 'go' } },
  {
    tool: 'project_map',
    shows: 'the project',
    input: {},
    files: { 'a/b': '' },
    data: { tree: '.keep\na/\n  b\n', fileCount: 2, directoryCount: 1 },
  },
  {
    tool: 'list_symbols',
    shows: 'a source file',
    input: { filePath: 'a.ts' },
    files: { 'a.ts': source },
    data: { total: 1 },
  },
  {
    tool: 'list_symbols',
    shows: 'a path out of the project',
    input: { filePath: '../a.ts' },
    code: 'PATH_TRAVERSAL_DETECTED',
  },
  { tool: 'list_symbols', shows: 'a file that is not there', input: { filePath: 'a.ts' }, code: 'FILE_NOT_FOUND' },
  { tool: 'list_symbols', shows: 'a folder', input: { filePath: 'a' }, code: 'NOT_A_FILE', files: { 'a/b': '' } },
  {
    tool: 'list_symbols',
    shows: 'a binary file',
    input: { filePath: 'a.ts' },
    code: 'BINARY_FILE',
    files: { 'a.ts': Buffer.from([1, 0, 2]) },
  },
  {
    tool: 'list_symbols',
    shows: 'a file over the limit',
    input: { filePath: 'a.ts' },
    code: 'FILE_TOO_LARGE',
    files: { 'a.ts': source },
    given: ({ project }) => truncateSync(join(project, 'a.ts'), 11 * 1024 * 1024),
  },
  {
    tool: 'list_symbols',
    shows: 'a file that takes too long (J5)',
    input: { filePath: 'a.js' },
    code: 'TIMEOUT',
    files: { 'a.js': '('.repeat(200_000) },
  },
  {
    tool: 'list_symbols',
    shows: 'a reader that is broken',
    input: {},
    code: 'UNAVAILABLE',
    files: { 'a.ts': source },
    call: async ({ project }) =>
      (await tryIn(project)).tool(createListSymbols({ symbols: broken }), { filePath: 'a.ts' }),
  },
];

const wrongPlaces = (tool: string, input: Input): readonly ToolCase[] => [
  {
    tool,
    shows: 'a pipe (P11)',
    input: { ...input, path: 'pipe' },
    code: 'NOT_A_FILE',
    given: ({ project }) => void execFileSync('mkfifo', [join(project, 'pipe')]),
    needs: 'pipes',
  },
  { tool, shows: 'a path out of the project', input: { ...input, path: '../..' }, code: 'PATH_TRAVERSAL_DETECTED' },
  { tool, shows: 'a place that is not there', input: { ...input, path: 'none' }, code: 'DIRECTORY_NOT_FOUND' },
];

const searching: readonly ToolCase[] = [
  ...[createFindSymbol, createFindReferences].map((create): ToolCase => {
    const tool = create({ symbols: broken });
    return {
      tool: tool.name,
      shows: 'a reader that is broken',
      input: {},
      code: 'UNAVAILABLE',
      files: { 'a.ts': source },
      call: async ({ project }) => (await tryIn(project)).tool(tool, { symbol: 'parse' }),
    };
  }),
  ...wrongPlaces('grep_search', { pattern: 'x' }),
  ...wrongPlaces('find_symbol', { symbol: 'parse' }),
  ...wrongPlaces('find_references', { symbol: 'parse' }),
  {
    tool: 'grep_search',
    shows: 'a pattern',
    input: { pattern: 'par.e' },
    files: { 'a.ts': source },
    data: { totalMatches: 1, matches: [{ file: 'a.ts', line: 1, column: 17 }] },
  },
  { tool: 'grep_search', shows: 'a pattern that is none', input: { pattern: '(' }, code: 'INVALID_REGEX' },
  {
    tool: 'find_symbol',
    shows: 'a definition',
    input: { symbol: 'parse' },
    files: { 'a.ts': source },
    data: { count: 1, definitions: [{ kind: 'function', file: 'a.ts', line: 1 }] },
  },
  {
    tool: 'find_references',
    shows: 'a use',
    input: { symbol: 'parse' },
    files: { 'a.ts': source },
    data: { count: 1, references: [{ file: 'a.ts', line: 1, isDefinition: true }] },
  },
  { tool: 'search_codebase', shows: 'words', input: { query: 'parse' }, files: { 'a.ts': source }, data: { total: 1 } },
  { tool: 'search_codebase', shows: 'a letter', input: { query: 'p' }, code: 'QUERY_TOO_SHORT' },
];

const cacheWithout = (shows: string, code: ErrorCode, more: Partial<ToolCase>): readonly ToolCase[] =>
  Object.entries(cacheInputs).map(([tool, input]) => ({ tool, shows, code, input, ...more }));
const cacheInputs: Readonly<Record<string, Input>> = {
  cache_store: { key: 'k', value: 'v' },
  cache_retrieve: { key: 'k' },
  cache_delete: { key: 'k' },
  cache_clear: {},
  cache_stats: {},
  cache_keys: {},
};
const cacheData: Readonly<Record<string, unknown>> = {
  cache_store: { key: 'k', tier: 'project', replaced: true },
  cache_retrieve: { key: 'k', found: true, value: 'v', tier: 'project' },
  cache_delete: { key: 'k', deleted: true },
  cache_clear: { deleted: 1, tier: 'all' },
  cache_stats: { totalEntries: 1, tiers: { project: { entries: 1 } } },
  cache_keys: { count: 1, keys: [{ key: 'k', tier: 'project' }] },
};

const caching = (full: (folder: string) => void): readonly ToolCase[] => [
  ...Object.entries(cacheInputs).map(
    ([tool, input]): ToolCase => ({
      tool,
      shows: 'what was kept',
      input,
      data: cacheData[tool],
      async given({ engine, project }) {
        await engine.callTool(project, 'cache_store', cacheInputs['cache_store'], signal());
      },
    }),
  ),
  ...cacheWithout('a store that cannot be opened', 'UNAVAILABLE', {
    given({ ports }) {
      mkdirSync(ports.places.state, { recursive: true });
      writeFileSync(join(ports.places.state, 'cache'), 'a file in the way');
    },
  }),
  ...cacheWithout('a disk without room (N2)', 'DISK_FULL', {
    given: ({ ports }) => full(join(ports.places.state, 'cache')),
    needs: 'mount',
  }),
  ...['cache_store', 'cache_retrieve', 'cache_delete'].map(
    (tool): ToolCase => ({ tool, shows: 'a blank key', input: { key: ' ', value: '' }, code: 'EMPTY_KEY' }),
  ),
  {
    tool: 'cache_store',
    shows: 'a value over the limit',
    input: () => ({ key: 'k', value: 'x'.repeat(5 * 1024 * 1024 + 1) }),
    code: 'VALUE_TOO_LARGE',
  },
];

export const commandCases = (full: (folder: string) => void): readonly ToolCase[] => [
  ...runners,
  ...system,
  ...looking,
  ...searching,
  ...caching(full),
];
