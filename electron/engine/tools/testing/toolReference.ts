import type { Level } from '../../../../shared/model/level.ts';
import type { JsonSchema } from '../frame/tool.ts';

/**
 * The inputs of the tools as the tool reference states them: `*` marks what is required, `a|b` is a choice of words.
 * Scripts and other programs rely on these, so a change here is a breaking change.
 */
const reference: Readonly<Record<string, readonly [category: string, level: Level, inputs: string]>> = {
  read_file: ['file', 'none', 'filePath*: string, offset: number, limit: number, lineNumbers: boolean'],
  write_file: ['file', 'dangerous', 'filePath*: string, content*: string, createBackup: boolean'],
  edit_file: ['file', 'dangerous', 'filePath*: string, oldStr*: string, newStr*: string, all: boolean'],
  search_files: ['file', 'none', 'pattern*: string, path: string, excludePatterns: string[]'],
  list_directory: ['file', 'none', 'path: string, recursive: boolean, includeHidden: boolean'],
  get_file_info: ['file', 'none', 'filePath*: string'],
  grep_search: [
    'search',
    'none',
    'pattern*: string, path: string, filePattern: string, caseInsensitive: boolean, contextLines: number',
  ],
  find_symbol: [
    'search',
    'none',
    'symbol*: string, path: string, symbolType: function|class|interface|variable|constant',
  ],
  search_codebase: ['search', 'none', 'query*: string, includeTests: boolean, includeDocs: boolean'],
  find_references: ['search', 'none', 'symbol*: string, path: string'],
  detect_project: ['build', 'none', 'projectPath: string'],
  run_tests: ['build', 'dangerous', 'projectPath: string, command: string, grantPermission: boolean'],
  format: ['build', 'dangerous', 'projectPath: string, command: string, grantPermission: boolean'],
  lint: ['build', 'moderate', 'projectPath: string, command: string, grantPermission: boolean'],
  build: ['build', 'dangerous', 'projectPath: string, command: string, grantPermission: boolean'],
  check_permission: ['build', 'none', 'toolName: run_tests|format|lint|build, projectPath: string'],
  project_map: ['build', 'none', 'maxDepth: number'],
  list_symbols: ['build', 'none', 'filePath*: string'],
  git_status: ['git', 'none', 'repoPath: string'],
  git_commit: [
    'git',
    'dangerous',
    'message*: string, repoPath: string, stageAll: boolean, stageFiles: string[], allowEmpty: boolean, amend: boolean',
  ],
  git_diff: ['git', 'none', 'repoPath: string, files: string[], staged: boolean, cached: boolean'],
  git_log: [
    'git',
    'none',
    'repoPath: string, maxCount: number, since: string, until: string, author: string, file: string',
  ],
  git_stage: ['git', 'moderate', 'files: string[], repoPath: string, hunks: number[], of: string'],
  git_unstage: ['git', 'moderate', 'files: string[], repoPath: string, hunks: number[], of: string'],
  git_branch: ['git', 'moderate', 'repoPath: string, action: list|current|create|switch, name: string'],
  is_protected_branch: ['git', 'none', 'branch: string, repoPath: string'],
  git_merge: ['git', 'dangerous', 'branch*: string, repoPath: string, noFf: boolean, message: string'],
  browser_status: ['browser', 'none', ''],
  browser_navigate: ['browser', 'moderate', 'url*: string, tabId: number'],
  browser_read_page: ['browser', 'moderate', 'tabId: number'],
  browser_screenshot: ['browser', 'moderate', 'fullPage: boolean, selector: string, tabId: number'],
  browser_click: ['browser', 'dangerous', 'x: number, y: number, selector: string, tabId: number'],
  browser_type: ['browser', 'dangerous', 'text*: string, tabId: number'],
  browser_find: ['browser', 'moderate', 'query*: string, tabId: number'],
  browser_get_tabs: ['browser', 'moderate', ''],
  cache_store: ['cache', 'none', 'key*: string, value*: string, tier: reasoning|project|vault, ttl: number'],
  cache_retrieve: ['cache', 'none', 'key*: string'],
  cache_delete: ['cache', 'none', 'key*: string'],
  cache_clear: ['cache', 'none', 'tier: reasoning|project|vault'],
  cache_stats: ['cache', 'none', ''],
  cache_keys: ['cache', 'none', 'tier: reasoning|project|vault, pattern: string'],
  apply_unified_diff: ['patch', 'dangerous', 'diff*: string, dryRun: boolean, rootPath: string, assessRisk: boolean'],
  edit_range: [
    'patch',
    'dangerous',
    'filePath*: string, startLine*: number, endLine*: number, content*: string, dryRun: boolean',
  ],
  insert_at: ['patch', 'dangerous', 'filePath*: string, lineNumber*: number, content*: string, dryRun: boolean'],
  delete_range: ['patch', 'dangerous', 'filePath*: string, startLine*: number, endLine*: number, dryRun: boolean'],
  assess_patch_risk: ['patch', 'none', 'diff*: string'],
  run: ['system', 'dangerous', 'command*: string, args: string[], cwd: string, timeout: number, env: object'],
  ask_user: [
    'system',
    'none',
    'question*: string, choices: string[], multiple: boolean, more: {question*: string; choices: string[]; multiple: boolean}[]',
  ],
};

export interface ReferenceTool {
  readonly name: string;
  readonly category: string;
  readonly level: Level;
  readonly schema: JsonSchema;
}

/** For tests: the table as JSON Schema. */
export const toolReference: readonly ReferenceTool[] = Object.entries(reference).map(
  ([name, [category, level, inputs]]) => ({ name, category, level, schema: schemaOf(inputs) }),
);

function schemaOf(inputs: string): JsonSchema {
  const entries = inputs === '' ? [] : inputs.split(', ').map((input) => input.split(/: (.*)/) as [string, string]);
  const required = entries.filter(([name]) => name.endsWith('*')).map(([name]) => name.slice(0, -1));
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, type]) => [name.replace('*', ''), typeSchema(type)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

function typeSchema(type: string): JsonSchema {
  const [, rows] = /^\{(.*)\}\[\]$/.exec(type) ?? [];
  if (rows !== undefined) return { type: 'array', items: schemaOf(rows.replaceAll('; ', ', ')) };
  if (type.includes('|')) return { type: 'string', enum: type.split('|') };
  return type.endsWith('[]') ? { type: 'array', items: { type: type.slice(0, -2) } } : { type };
}
