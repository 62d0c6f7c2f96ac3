import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorCode } from '../../../../shared/errorCode.ts';
import { readFile } from '../../tools/file/readFile.ts';
import { readingHands } from '../../tools/frame/readingHands.ts';
import { createLook } from '../../workspace/look.ts';
import { createSandbox } from '../../workspace/sandbox.ts';
import type { TestBench } from '../engineForTest.ts';
import { fullDisk, type Input, type ToolCase, withMode } from './toolCase.ts';

const text = 'one\ntwo\nthree\n';
const limit = 10 * 1024 * 1024;

/** A file with a hole: large to every look, small on the disk. */
function largeFile(path: string, bytes: number): void {
  writeFileSync(path, 'x\n');
  truncateSync(path, bytes);
}

const diffOf = (path: string) => `--- a/${path}\n+++ b/${path}\n@@ -1,3 +1,3 @@\n-one\n+ONE\n two\n three\n`;

/** What changes the first line of `path`, tool by tool. */
const editors: Readonly<Record<string, (path: string) => Input>> = {
  edit_file: (filePath) => ({ filePath, oldStr: 'one', newStr: 'ONE' }),
  edit_range: (filePath) => ({ filePath, startLine: 1, endLine: 1, content: 'ONE' }),
  insert_at: (filePath) => ({ filePath, lineNumber: 1, content: 'ONE' }),
  delete_range: (filePath) => ({ filePath, startLine: 1, endLine: 1 }),
};
const writers: Readonly<Record<string, (path: string) => Input>> = {
  ...editors,
  write_file: (filePath) => ({ filePath, content: 'ONE' }),
  apply_unified_diff: (path) => ({ diff: diffOf(path) }),
};
const readers: Readonly<Record<string, (path: string) => Input>> = {
  read_file: (filePath) => ({ filePath }),
  ...editors,
};

const each = (
  tools: Readonly<Record<string, (path: string) => Input>>,
  path: string,
  one: Omit<ToolCase, 'tool' | 'input'>,
): readonly ToolCase[] => Object.entries(tools).map(([tool, inputOf]) => ({ tool, input: inputOf(path), ...one }));

const unreadable: Omit<ToolCase, 'tool' | 'input' | 'code'> = {
  shows: 'a file that the system does not let it read',
  files: { secret: text },
  given: ({ project }) => withMode(join(project, 'secret'), 0),
  needs: 'modes',
};

const reading: readonly ToolCase[] = [
  ...each(readers, '../a.txt', { shows: 'a path out of the project', code: 'PATH_TRAVERSAL_DETECTED' }),
  ...each(readers, 'none.txt', { shows: 'a file that is not there', code: 'FILE_NOT_FOUND' }),
  ...each(readers, 'folder', { shows: 'a folder', code: 'NOT_A_FILE', files: { 'folder/a': '' } }),
  ...each(readers, 'bin', { shows: 'a binary file', code: 'BINARY_FILE', files: { bin: Buffer.from([1, 0, 2]) } }),
  ...each(readers, 'big.txt', {
    shows: 'a file over the limit',
    code: 'FILE_TOO_LARGE',
    given: ({ project }) => largeFile(join(project, 'big.txt'), limit + 1),
  }),
  ...each(readers, 'secret', { ...unreadable, code: 'UNAVAILABLE' }),
];

const writing: readonly ToolCase[] = [
  ...each(writers, 'a.txt', {
    shows: 'a file that changes while the question waits',
    code: 'STALE',
    files: { 'a.txt': text },
    meanwhile: ({ project }) => writeFileSync(join(project, 'a.txt'), 'by hand\n'),
  }),
  ...each(writers, 'locked/a.txt', {
    shows: 'a folder that may not be written to',
    code: 'FILE_WRITE_ERROR',
    files: { 'locked/a.txt': text },
    given: ({ project }) => withMode(join(project, 'locked'), 0o555),
    needs: 'modes',
  }),
  ...each(writers, 'ro.txt', {
    shows: 'a file that may not be written to, in a folder that may',
    code: 'FILE_WRITE_ERROR',
    files: { 'ro.txt': text },
    given({ project }) {
      withMode(project, 0o777);
      withMode(join(project, 'ro.txt'), 0o444);
    },
    needs: 'modes',
  }),
  ...each(writers, 'full/a.txt', {
    shows: 'a disk without room (N2)',
    code: 'DISK_FULL',
    given: ({ project }) => fullDisk(join(project, 'full'), { 'a.txt': text }),
    needs: 'mount',
  }),
  ...each(writers, 'a.txt', {
    shows: 'a store of earlier contents without room',
    code: 'LIMIT_EXCEEDED',
    files: { 'a.txt': text },
    given({ ports }) {
      const folder = join(ports.places.state, 'contents', 'aa', 'bb');
      mkdirSync(folder, { recursive: true });
      largeFile(join(folder, 'a'.repeat(64)), 512 * 1024 * 1024);
    },
  }),
  ...each({ write_file: (filePath) => ({ filePath, content: '' }) }, '../a', {
    shows: 'a path out of the project',
    code: 'PATH_TRAVERSAL_DETECTED',
  }),
  ...each({ write_file: (filePath) => ({ filePath, content: '' }) }, 'folder', {
    shows: 'a folder',
    code: 'NOT_A_FILE',
    files: { 'folder/a': '' },
  }),
  ...each({ write_file: (filePath) => ({ filePath, content: '' }) }, 'secret', { ...unreadable, code: 'UNAVAILABLE' }),
  {
    tool: 'write_file',
    shows: 'more than a file may hold',
    input: () => ({ filePath: 'a', content: 'x'.repeat(limit + 1) }),
    code: 'FILE_TOO_LARGE',
  },
];

const edits: readonly ToolCase[] = [
  {
    tool: 'read_file',
    shows: 'a text',
    input: { filePath: 'a.txt' },
    files: { 'a.txt': text },
    data: { content: text, lineCount: 3 },
  },
  {
    tool: 'read_file',
    shows: 'a file that is replaced by a link while it is opened (P9)',
    input: {},
    code: 'STALE',
    files: { 'a.txt': text, 'b.txt': text },
    call: readReplaced,
  },
  {
    tool: 'write_file',
    shows: 'a new file',
    input: { filePath: 'x/a.txt', content: 'é' },
    data: { filePath: 'x/a.txt', bytesWritten: 2, created: true },
  },
  ...each({ edit_file: editors['edit_file'] ?? (() => ({})) }, 'a.txt', {
    shows: 'one passage',
    files: { 'a.txt': text },
    data: { replacements: 1, firstLine: 1 },
  }),
  {
    tool: 'edit_file',
    shows: 'a passage that is not there',
    input: { filePath: 'a.txt', oldStr: 'four', newStr: 'x' },
    code: 'STRING_NOT_FOUND',
    files: { 'a.txt': text },
  },
  {
    tool: 'edit_file',
    shows: 'a passage that is there twice',
    input: { filePath: 'a.txt', oldStr: 't', newStr: 'x' },
    code: 'MULTIPLE_MATCHES',
    data: { count: 2, lines: [2, 3] },
    files: { 'a.txt': text },
  },
  {
    tool: 'edit_range',
    shows: 'a range',
    input: { filePath: 'a.txt', startLine: 2, endLine: 3, content: 'x\n' },
    files: { 'a.txt': text },
    data: { originalLines: 2, modifiedLines: 1, lineCount: 2 },
  },
  {
    tool: 'delete_range',
    shows: 'a range',
    input: { filePath: 'a.txt', startLine: 1, endLine: 2 },
    files: { 'a.txt': text },
    data: { deletedLines: 2, lineCount: 1 },
  },
  {
    tool: 'insert_at',
    shows: 'the end',
    input: { filePath: 'a.txt', lineNumber: 4, content: 'four' },
    files: { 'a.txt': text },
    data: { insertedLines: 1, lineCount: 4 },
  },
  ...(['edit_range', 'delete_range'] as const).map(
    (tool): ToolCase => ({
      tool,
      shows: 'lines that are not there',
      input: { filePath: 'a.txt', startLine: 0, endLine: 9, content: '' },
      code: 'INVALID_LINE_RANGE',
      data: { lineCount: 3 },
      files: { 'a.txt': text },
    }),
  ),
  {
    tool: 'insert_at',
    shows: 'a line that is not there',
    input: { filePath: 'a.txt', lineNumber: 5, content: '' },
    code: 'INVALID_LINE_NUMBER',
    data: { lineCount: 3 },
    files: { 'a.txt': text },
  },
];

const wrongFolders = (tool: string, name: string, input: Input = {}): readonly ToolCase[] =>
  (
    [
      ['../..', 'a path out of the project', 'PATH_TRAVERSAL_DETECTED'],
      ['none', 'a folder that is not there', 'DIRECTORY_NOT_FOUND'],
      ['a.txt', 'a file in place of a folder', 'NOT_A_DIRECTORY'],
    ] as const satisfies readonly (readonly [string, string, ErrorCode])[]
  ).map(([path, shows, code]) => ({ tool, shows, input: { ...input, [name]: path }, code, files: { 'a.txt': '' } }));

const folders: readonly ToolCase[] = [
  ...wrongFolders('search_files', 'path', { pattern: '*' }),
  ...wrongFolders('list_directory', 'path'),
  ...wrongFolders('apply_unified_diff', 'rootPath', { diff: diffOf('a.txt') }),
  {
    tool: 'search_files',
    shows: 'names',
    input: { pattern: '*.ts' },
    files: { 'x/a.ts': '', 'b.js': '' },
    data: { files: ['x/a.ts'], count: 1, truncated: false },
  },
  {
    tool: 'list_directory',
    shows: 'a folder',
    input: { path: 'x' },
    files: { 'x/a': 'ab' },
    data: { count: 1, entries: [{ name: 'a', path: 'x/a', type: 'file', size: 2 }] },
  },
  {
    tool: 'list_directory',
    shows: 'a folder that may not be looked into',
    input: { path: 'x' },
    code: 'UNAVAILABLE',
    files: { 'x/a': '' },
    given: ({ project }) => withMode(join(project, 'x'), 0o300),
    needs: 'modes',
  },
  {
    tool: 'get_file_info',
    shows: 'a file',
    input: { filePath: 'a' },
    files: { a: 'x\n' },
    data: { type: 'file', size: 2, lineCount: 1 },
  },
  {
    tool: 'get_file_info',
    shows: 'a path out of the project',
    input: { filePath: '../a' },
    code: 'PATH_TRAVERSAL_DETECTED',
  },
  { tool: 'get_file_info', shows: 'a file that is not there', input: { filePath: 'a' }, code: 'FILE_NOT_FOUND' },
];

const patch = (
  shows: string,
  code: ErrorCode,
  diff: string,
  files: ToolCase['files'] = { 'a.txt': text },
): ToolCase => ({
  tool: 'apply_unified_diff',
  shows,
  input: () => ({ diff }),
  code,
  files,
});
const patches: readonly ToolCase[] = [
  {
    tool: 'apply_unified_diff',
    shows: 'a patch',
    input: { diff: diffOf('a.txt') },
    files: { 'a.txt': text },
    data: { applied: [{ path: 'a.txt', status: 'modified', additions: 1, deletions: 1 }], dryRun: false },
  },
  patch('a text without a patch', 'NO_VALID_DIFF', 'please change it'),
  patch('a hunk that fits nowhere', 'PATCH_FAILED', diffOf('a.txt').replace('-one', '-nine')),
  patch('a binary file', 'BINARY_FILE', diffOf('bin'), { bin: Buffer.from([1, 0, 2]) }),
  patch('a path out of the project', 'PATH_TRAVERSAL_DETECTED', diffOf('../a.txt')),
  patch('a patch without end', 'LIMIT_EXCEEDED', 'x'.repeat(33 * 1024 * 1024)),
  patch('a folder in place of a file', 'NOT_A_FILE', diffOf('folder'), { 'folder/a': '' }),
  {
    ...patch('a file over the limit', 'FILE_TOO_LARGE', diffOf('big.txt')),
    given: ({ project }) => largeFile(join(project, 'big.txt'), limit + 1),
  },
  { ...patch('', 'UNAVAILABLE', diffOf('secret')), ...unreadable },
  {
    tool: 'assess_patch_risk',
    shows: 'a patch',
    input: { diff: diffOf('.env') },
    data: { riskLevel: 'high', totalChanges: 2 },
  },
  { tool: 'assess_patch_risk', shows: 'a text without a patch', input: { diff: 'no' }, code: 'NO_VALID_DIFF' },
  {
    tool: 'assess_patch_risk',
    shows: 'counts that the body does not have',
    input: { diff: '--- a/x\n+++ b/x\n@@ -1,2 +1,1 @@\n-a\n+b\n*** nonsense\n' },
    code: 'PATCH_FAILED',
  },
  {
    tool: 'assess_patch_risk',
    shows: 'a patch without end',
    input: () => ({ diff: 'x'.repeat(33 * 1024 * 1024) }),
    code: 'LIMIT_EXCEEDED',
  },
];

export const fileCases: readonly ToolCase[] = [...reading, ...writing, ...edits, ...folders, ...patches];

/** The file becomes a link in the moment between finding and opening it. */
async function readReplaced({ project }: TestBench) {
  const made = await createSandbox({ roots: [project] });
  if (!made.ok) throw new Error(made.error.message);
  let resolved = 0;
  const look = createLook({
    ...made.value,
    async resolve(...given) {
      const found = await made.value.resolve(...given);
      resolved += 1;
      if (resolved === 2) {
        rmSync(join(project, 'a.txt'));
        symlinkSync('b.txt', join(project, 'a.txt'));
      }
      return found;
    },
  });
  const prepared = await readFile.prepare({ filePath: 'a.txt' }, look);
  if (!prepared.ok) return { success: false, error: prepared.error } as const;
  const result = await prepared.value.run(readingHands(look, 'c'), { changes: [], files: [] });
  return result.ok
    ? ({ success: true, data: result.value } as const)
    : ({ success: false, error: result.error } as const);
}
