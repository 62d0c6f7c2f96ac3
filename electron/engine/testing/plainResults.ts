import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Calls of tools, and what the command line is asked for the same, in copies of an installed package.

const commit = 'git -c user.name=A -c user.email=a@b.c commit';
const patch = '--- a/README.md\n+++ b/README.md\n@@ -1,2 +1,2 @@\n-# ws: a Node.js WebSocket library\n+# ws\n \n';

/** What stands in the table, the call, and the command that prints the same; in this order, since some change files. */
export const plainResults: readonly (readonly [label: string, tool: string, input: object, command: string])[] = [
  ['`cat`', 'read_file', { filePath: 'lib/limiter.js' }, 'cat lib/limiter.js'],
  ['`cat -n`', 'read_file', { filePath: 'lib/limiter.js', lineNumbers: true }, 'cat -n lib/limiter.js'],
  ['`stat`', 'get_file_info', { filePath: 'lib/limiter.js' }, 'stat lib/limiter.js'],
  ['`ls -p`', 'list_directory', { path: 'lib' }, 'ls -p lib'],
  [
    '`find`',
    'list_directory',
    { recursive: true },
    'find . -mindepth 1 -path ./.git -prune -o -mindepth 1 -printf "%P\\n"',
  ],
  ['`find`', 'project_map', {}, 'find . -mindepth 1 -path ./.git -prune -o -mindepth 1 -printf "%P\\n"'],
  ['`find`', 'search_files', { pattern: '*.js' }, 'find . -name "*.js" -printf "%P\\n"'],
  ['`grep -rn`', 'grep_search', { pattern: 'maxPayload' }, 'grep -rn --exclude-dir=.git maxPayload .'],
  [
    '`grep -rn -C 2`',
    'grep_search',
    { pattern: 'firstFragment', filePattern: 'lib/*.js', contextLines: 2 },
    'grep -rn -C 2 firstFragment lib',
  ],
  ['`grep -rniE`', 'search_codebase', { query: 'masked frame' }, 'grep -rniE --exclude-dir=.git "masked|frame" .'],
  [
    '`grep -rnE`',
    'find_symbol',
    { symbol: 'createWebSocketStream' },
    'grep -rnE "(function|class|const) createWebSocketStream\\b" --exclude-dir=.git .',
  ],
  ['`grep -rnw`', 'find_references', { symbol: 'EMPTY_BUFFER' }, 'grep -rnw EMPTY_BUFFER lib'],
  [
    '`grep -nE`',
    'list_symbols',
    { filePath: 'lib/sender.js' },
    'grep -nE "^(class|const|let|function) |^  (static |get |async )?[a-z]\\w*\\(.*\\) \\{$" lib/sender.js',
  ],
  ['`cat package.json`', 'detect_project', {}, 'cat package.json'],
  ['`git status -sb`', 'git_status', {}, 'git status --short --branch'],
  ['`git diff`', 'git_diff', {}, 'git diff'],
  ['`git log`', 'git_log', {}, 'git log'],
  ['`git branch -vv`', 'git_branch', {}, 'git branch -vv'],
  ['`git apply --stat --summary`', 'assess_patch_risk', { diff: patch }, `git apply --stat --summary <<'E'\n${patch}E`],
  [
    '`git diff`',
    'edit_file',
    { filePath: 'lib/limiter.js', oldStr: 'A very simple job queue', newStr: 'A job queue' },
    "sed -i 's/A very simple job queue/A job queue/' lib/limiter.js; git diff lib/limiter.js",
  ],
  ['`git add -v`', 'git_stage', { files: ['lib'] }, 'git add --verbose lib'],
  ['`git commit`', 'git_commit', { message: 'Shorten a comment' }, `${commit} -m "Shorten a comment"`],
  [
    '`git apply --stat --summary`',
    'apply_unified_diff',
    { diff: patch },
    `git apply --stat --summary <<'E'\n${patch}E`,
  ],
  ['its output', 'run', { command: 'cat lib/constants.js' }, 'cat lib/constants.js'],
  ['its output', 'run_tests', {}, 'npm test'],
];

/** The package comes without its tests. */
const ownTests = `const { test } = require('node:test');
const WebSocket = require('./index.js');
for (const name of ['CONNECTING', 'OPEN', 'CLOSING', 'CLOSED'])
  test(\`\${name} is a number\`, () => { if (typeof WebSocket[name] !== 'number') throw new Error(name); });
test('fails', () => { throw new Error('on purpose'); });
`;

/** A copy of the package in a repository of its own, with one file changed and one new. */
export function makeSample(place: string): void {
  cpSync(join(import.meta.dirname, '../../../node_modules/ws'), place, { recursive: true });
  const manifest = join(place, 'package.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/"test": ".*"/, '"test": "node --test own.test.cjs"'));
  writeFileSync(join(place, 'own.test.cjs'), ownTests);
  const name = 'git config user.name A && git config user.email a@b.c';
  shell(place, `git init -q -b main && git add -A && ${commit} -qm "Begin" && ${name}`);
  shell(place, "sed -i 's/maxPayload/maxLoad/' lib/permessage-deflate.js && echo new > new.txt");
}

/** What a command prints; tests that fail end with another code and are printed all the same. */
export function shell(cwd: string, command: string): string {
  return spawnSync('sh', ['-c', command], { cwd, encoding: 'utf8' }).stdout;
}
