import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { tryIn } from '../../testing/tryTool.ts';
import { testFolder, treeOf } from '../../workspace/testing/testFolder.ts';
import { diffOfOneFile } from './diffOfOneFile.ts';
import { protocolTools } from './protocolTools.ts';
import { reportTools } from './reports.ts';

const named = (name: string) => {
  const tool = [...protocolTools, ...reportTools].find((one) => one.name === name);
  if (!tool) throw new Error(name);
  return tool;
};
const run = async (root: string, name: string, input: unknown) => (await tryIn(root)).tool(named(name), input);
const dataOf = async (root: string, name: string, input: unknown): Promise<Record<string, unknown>> => {
  const result = await run(root, name, input);
  if (!result.success) throw new Error(result.error.message);
  return result.data as Record<string, unknown>;
};

describe('list_files', () => {
  test('lists at most 200 files in path order, without what is ignored; a file gives itself', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 201 }, (_, index) => [`d/f${String(index).padStart(3, '0')}`, '']),
    );
    const root = testFolder({ ...many, 'node_modules/x/a.js': '' });
    const { items, truncated } = await dataOf(root, 'list_files', {});
    expect([(items as string[]).length, (items as string[])[0], truncated]).toEqual([200, 'd/f000', true]);
    expect(await dataOf(root, 'list_files', { path: 'd/f007' })).toEqual({
      ok: true,
      items: ['d/f007'],
      truncated: false,
    });
    expect(await dataOf(root, 'list_files', { recursive: 'no' })).toEqual({ ok: true, items: [], truncated: false });
    expect(await dataOf(root, 'list_files', { pattern: 'f20*' })).toMatchObject({ items: ['d/f200'] });
    expect(await run(root, 'list_files', { path: 'none' })).toMatchObject({
      error: { message: 'Path does not exist: none' },
    });
  });
});

describe('read_file', () => {
  test('cuts at 200,000 bytes, never inside a character', async () => {
    const root = testFolder({
      'a.txt': `${'a'.repeat(199_999)}é`,
      'b.txt': 'a'.repeat(200_000),
      'gbk.txt': new Uint8Array([0xd6, 0xd0, 0xce, 0xc4, 10]),
    });
    const cut = await dataOf(root, 'read_file', { path: 'a.txt' });
    expect([String(cut['content']).length, cut['truncated']]).toEqual([199_999, true]);
    const whole = await dataOf(root, 'read_file', { path: 'b.txt' });
    expect([String(whole['content']).length, whole['truncated']]).toEqual([200_000, false]);
    expect(await dataOf(root, 'read_file', { path: 'gbk.txt' })).toMatchObject({ content: '中文\n' });
  });

  test("takes the real tool's own arguments as well, and names what is missing", async () => {
    const root = testFolder({ 'a.txt': 'a\n', 'd/x': '' });
    expect(await dataOf(root, 'read_file', { filePath: 'a.txt' })).toMatchObject({ filePath: 'a.txt', content: 'a\n' });
    const error = async (input: unknown) => {
      const result = await run(root, 'read_file', input);
      return result.success ? '' : result.error.message;
    };
    expect(await error({ path: 'none' })).toBe('File does not exist: none');
    expect(await error({ path: 'd' })).toBe('Path is not a file: d');
    expect(await error({ path: '../x' })).toBe('Path escapes the project root: ../x');
    expect(await error({})).toMatch(/^The arguments of read_file do not fit: path/);
  });

  test('P4 a link out of the project is refused', async () => {
    const outside = testFolder({ secret: 's' });
    const root = testFolder();
    symlinkSync(path.join(outside, 'secret'), path.join(root, 'link'));
    expect(await run(root, 'read_file', { path: 'link' })).toMatchObject({
      error: { code: 'PATH_TRAVERSAL_DETECTED' },
    });
  });
});

describe('search_text', () => {
  test('is literal and case-sensitive, gives trimmed lines, at most 100', async () => {
    const root = testFolder({ 'a.txt': '  a.b(c  \nA.B(C\naxbxc\n', 'many.txt': 'hit\n'.repeat(101) });
    expect(await dataOf(root, 'search_text', { keyword: 'a.b(c' })).toEqual({
      ok: true,
      results: [{ path: 'a.txt', line: 1, text: 'a.b(c' }],
      truncated: false,
    });
    const { results, truncated } = await dataOf(root, 'search_text', { keyword: 'hit', path: 'many.txt' });
    expect([(results as unknown[]).length, truncated]).toEqual([100, true]);
    expect(await run(root, 'search_text', { keyword: '' })).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
  });
});

describe('write_file and apply_diff', () => {
  test('write through the real tools: same level, same review', async () => {
    const root = testFolder({ 'a.txt': 'one\r\ntwo\r\n' });
    const trial = await tryIn(root);
    const write = await trial.plan(named('write_file'), { path: 'n/b.txt', content: 'b' });
    expect([write.intent.risk, write.intent.effects, named('write_file').permission]).toEqual([
      'dangerous',
      ['writes'],
      'dangerous',
    ]);
    expect(await dataOf(root, 'write_file', { path: 'n/b.txt', content: 'b' })).toEqual({ ok: true, path: 'n/b.txt' });
    const diff = '@@ -1,2 +1,2 @@\n one\n-two\n+2\n';
    expect(await dataOf(root, 'apply_diff', { path: 'a.txt', diff })).toEqual({ ok: true, path: 'a.txt' });
    expect(treeOf(root)).toEqual({ 'a.txt': 'one\r\n2\r\n', 'n/b.txt': 'b' });
    const verdicts = [{ path: 'a.txt', content: 'mine\r\n', keep: 'all' as const }];
    const edited = await trial.tool(named('write_file'), { path: 'a.txt', content: 'x\n' }, { verdicts });
    expect(edited).toMatchObject({ success: true, data: { ok: true, path: 'a.txt', review: { outcome: 'edited' } } });
  });

  test('the headers of a diff are those of its file, whatever the model wrote', () => {
    const hunk = '@@ -1 +1 @@\n-a\n+b\n';
    expect(diffOfOneFile('x', hunk)).toEqual({ ok: true, value: `--- a/x\n+++ b/x\n${hunk}` });
    expect(diffOfOneFile('x', `--- wrong\n+++ names\n${hunk}`)).toEqual(diffOfOneFile('x', hunk));
    expect(diffOfOneFile('x', `\`\`\`\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+b`)).toEqual({
      ok: true,
      value: '--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+b\n',
    });
    expect(diffOfOneFile('x', 'no hunk')).toMatchObject({ error: { code: 'NO_VALID_DIFF' } });
    // A removed line that begins with dashes is no header.
    expect(diffOfOneFile('x', '@@ -1,2 +1 @@\n--- a\n keep\n').ok).toBe(true);
  });
});

describe('the reports', () => {
  const report = (name: string, input: unknown) => run(testFolder(), name, input);

  test('say what is missing in the words that the protocol teaches', async () => {
    const words = async (name: string, input: unknown) => {
      const result = await report(name, input);
      return result.success ? 'ok' : result.error.message;
    };
    expect(await words('report_findings', {})).toContain(
      'report_findings requires key_findings[] and relevant_files[]',
    );
    expect(await words('report_findings', { key_findings: [], relevant_files: [] })).toContain('at least one finding');
    expect(await words('report_findings', { key_findings: ['x'.repeat(301)], relevant_files: [] })).toContain('300');
    expect(await words('report_plan', { steps: [] })).toBe('report_plan requires steps[] with at least one step');
    expect(await words('report_plan', { steps: [{ intent: 1 }] })).toContain(
      'each step needs intent (str) and target_files (list)',
    );
    const steps = Array.from({ length: 21 }, () => ({ intent: 'x', target_files: [] }));
    expect(await words('report_plan', { steps })).toContain('at most 20');
  });

  test('have the result objects that the protocol teaches', async () => {
    expect(await report('report_findings', { key_findings: ['f'], relevant_files: [] })).toEqual({
      success: true,
      data: { ok: true, _report: 'findings', key_findings: ['f'], relevant_files: [], constraints: [] },
    });
    expect(await report('report_blocked', { reason_type: 'strange', suggested_action: 'dance' })).toEqual({
      success: true,
      data: { ok: false, _report: 'blocked', reason_type: 'other', detail: '', suggested_action: 'retry' },
    });
    expect(await report('report_done', {})).toEqual({
      success: true,
      data: { ok: true, _report: 'done', summary: 'task completed' },
    });
  });
});
