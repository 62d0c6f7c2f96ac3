import { execFileSync } from 'node:child_process';
import { testEnvironment } from '../../git/testing/testRepository.ts';
import { writeFiles } from '../../workspace/testing/testFolder.ts';
import type { Input } from './toolCase.ts';

const scripts = { test: 'true', format: 'true', lint: 'true', build: 'true' };

/** A project in which each of the inputs below makes sense. */
export function writeSample(folder: string): void {
  writeFiles(folder, {
    'a.txt': 'one\ntwo\n',
    'a.ts': 'export function parse() {}\n',
    'package.json': JSON.stringify({ scripts }),
  });
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, env: testEnvironment });
  git('init', '--quiet', '--initial-branch=trunk');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.org');
  git('add', '--all');
  git('commit', '--quiet', '--message=first');
  git('branch', 'other');
  writeFiles(folder, { 'b.txt': 'staged\n' });
  git('add', 'b.txt');
}

const filePath = 'a.txt';

/** For every tool of the reference, an input that nothing but a missing permission is in the way of. */
export const plainInputs: Readonly<Record<string, Input>> = {
  read_file: { filePath },
  write_file: { filePath: 'new.txt', content: 'x' },
  edit_file: { filePath, oldStr: 'one', newStr: 'ONE' },
  search_files: { pattern: '*.ts' },
  list_directory: { recursive: true },
  get_file_info: { filePath },
  grep_search: { pattern: 'one' },
  find_symbol: { symbol: 'parse' },
  search_codebase: { query: 'parse' },
  find_references: { symbol: 'parse' },
  detect_project: { projectPath: '.' },
  run_tests: { grantPermission: true },
  format: { grantPermission: true },
  lint: { grantPermission: true },
  build: { grantPermission: true },
  check_permission: { toolName: 'lint' },
  project_map: { maxDepth: 2 },
  list_symbols: { filePath: 'a.ts' },
  git_status: { repoPath: '.' },
  git_commit: { message: 'second', allowEmpty: true },
  git_diff: { staged: true },
  git_log: { maxCount: 1 },
  git_stage: { files: [filePath] },
  git_unstage: { files: [filePath] },
  git_branch: { action: 'create', name: 'new' },
  is_protected_branch: { branch: 'main' },
  git_merge: { branch: 'other' },
  browser_status: {},
  browser_navigate: { url: 'about:blank' },
  browser_read_page: { tabId: 1 },
  browser_screenshot: { fullPage: true },
  browser_click: { selector: '#b' },
  browser_type: { text: 'x' },
  browser_find: { query: 'x' },
  browser_get_tabs: {},
  cache_store: { key: 'k', value: 'v' },
  cache_retrieve: { key: 'k' },
  cache_delete: { key: 'k' },
  cache_clear: { tier: 'vault' },
  cache_stats: {},
  cache_keys: { pattern: '*' },
  apply_unified_diff: { diff: '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-one\n+ONE\n two\n' },
  edit_range: { filePath, startLine: 1, endLine: 1, content: 'ONE' },
  insert_at: { filePath, lineNumber: 1, content: 'zero' },
  delete_range: { filePath, startLine: 1, endLine: 1 },
  assess_patch_risk: { diff: '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-one\n+ONE\n two\n' },
  run: { command: 'echo', args: ['ran'] },
  ask_user: { question: 'Which?' },
};
