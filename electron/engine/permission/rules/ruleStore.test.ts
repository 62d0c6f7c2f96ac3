import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Rule } from '../../../../shared/model/rule.ts';
import { createRuleStore } from './ruleStore.ts';
import { allowRule } from './suggest.ts';

let folder = '';
const project = () => join(folder, 'project');
const config = () => join(folder, 'config');
const projectFile = () => join(project(), '.vise', 'rules.json');
const userFile = () => join(config(), 'rules.json');
const store = (extra?: string) =>
  createRuleStore({ project: project(), config: config(), ...(extra ? { extra } : {}) });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vise-rules-'));
  mkdirSync(join(project(), '.vise'), { recursive: true });
  mkdirSync(config());
});
afterEach(() => rmSync(folder, { recursive: true }));

const allowTest: Rule = { id: 'a', effect: 'allow', scope: 'project', match: { command: ['npm', 'test'] } };
const denyPush: Rule = { id: 'd', effect: 'deny', scope: 'project', match: { command: ['git', 'push'] } };
const askPath: Rule = { id: 'q', effect: 'ask', scope: 'project', match: { path: 'db/**' } };

test('no files mean no rules', () => {
  expect(store().load(() => true)).toEqual({ rules: [], broken: [], notices: [] });
});

test('a committed allow rule counts only when the folder is trusted; deny and ask rules always count', () => {
  writeFileSync(projectFile(), JSON.stringify({ version: 1, rules: [allowTest, denyPush, askPath] }));
  expect(store().load(() => true).rules).toEqual([allowTest, denyPush, askPath]);
  expect(store().load(() => false)).toEqual({
    rules: [denyPush, askPath],
    broken: [],
    notices: ["1 allow rule of this folder does not count until the folder's rules are trusted"],
  });
});

test('all three files are read, and the file decides the scope', () => {
  const extra = join(folder, 'more.json');
  writeFileSync(projectFile(), JSON.stringify([{ ...denyPush, scope: 'user' }]));
  writeFileSync(userFile(), JSON.stringify({ rules: [{ effect: 'allow', match: { tool: 'lint' } }] }));
  writeFileSync(extra, JSON.stringify({ rules: [askPath] }));
  expect(store(extra).load(() => false).rules).toEqual([
    denyPush,
    allowRule({ tool: 'lint' }, 'user'),
    { ...askPath, scope: 'session' },
  ]);
});

describe('a broken file', () => {
  test.each([
    ['{"rules": [\n  {"effect": "deny",}\n]}', 'line 2, column 21'],
    ['{"rules": [', 'its end'],
    ['{"rules": [{"effect": "forbid", "match": {"tool": "run"}}]}', 'rules[0].effect'],
    ['{"rules": [{"effect": "allow", "match": {"tool": "run", "comand": ["ls"]}}]}', 'rules[0].match'],
    ['{"rules": [{"effect": "allow", "match": {}}]}', 'rules[0].match'],
    ['[{"effect": "allow", "match": {"command": "npm test"}}]', '[0].match.command'],
    ['{"rules": [], "more": 1}', 'the outermost object'],
    ['"x"', 'the outermost object'],
  ])('%s says what, where (%s) and what to do', (text, place) => {
    writeFileSync(projectFile(), text);
    const { rules, broken } = store().load(() => true);
    expect(rules).toEqual([]);
    expect(broken).toEqual([expect.stringContaining(`The rules in ${projectFile()} cannot be read, at ${place}: `)]);
    expect(broken[0]).toMatch(/To go on, .*(?:correct|remove).*\.$/);
  });

  test('does not hide the other files, and is never overwritten', () => {
    writeFileSync(projectFile(), '{');
    writeFileSync(userFile(), JSON.stringify({ rules: [denyPush] }));
    expect(store().load(() => true)).toMatchObject({
      rules: [{ ...denyPush, scope: 'user' }],
      broken: [expect.any(String)],
    });
    expect(store().revoke('d')).toMatchObject({ ok: false, error: { code: 'CONFIG_INVALID' } });
    expect(readFileSync(projectFile(), 'utf8')).toBe('{');
  });

  test.each(['', ' \n'])('is also one that holds %j: deny rules may have stood there', (text) => {
    writeFileSync(userFile(), text);
    expect(store().load(() => true).broken).toEqual([expect.stringContaining('it is empty')]);
  });
});

test('a rule is saved once, for the user only, and nothing else is left in the folder', () => {
  const saved = store().save(allowTest);
  store().save({ ...allowTest, createdAt: '2026-11-21T00:00:00Z' });
  expect(saved).toMatchObject({ ok: true, value: { effect: 'allow', match: allowTest.match } });
  expect(store().load(() => true).rules).toHaveLength(1);
  const [file = ''] = readdirSync(join(config(), 'projects'));
  expect(statSync(join(config(), 'projects', file)).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(config(), 'projects'))).toHaveLength(1);
});

test('C12: what the person allows in a project counts without trust, there alone, and is not written into it', () => {
  store().save(allowTest);
  expect(store().load(() => false).rules).toMatchObject([{ scope: 'project', match: allowTest.match }]);
  expect(readdirSync(join(project(), '.vise'))).toEqual([]);
  const other = createRuleStore({ project: join(folder, 'other'), config: config() });
  expect(other.load(() => true).rules).toEqual([]);
});

test('a rule is revoked by its id, wherever it stands', () => {
  const made = store().save({ ...allowTest, scope: 'user' });
  const id = made.ok ? made.value.id : '';
  expect(store().revoke(id)).toEqual({ ok: true, value: true });
  expect(store().revoke(id)).toEqual({ ok: true, value: false });
  expect(store().load(() => true).rules).toEqual([]);
});

test('a rule that cannot be written is an error, not an allowance', () => {
  writeFileSync(join(folder, 'config2'), '');
  const failing = createRuleStore({ config: join(folder, 'config2', 'below') });
  const result = failing.save({ ...allowTest, scope: 'user' });
  expect(result.ok).toBe(false);
  expect(store().save({ ...allowTest, scope: 'session' })).toMatchObject({
    ok: false,
    error: { code: 'VALIDATION_ERROR' },
  });
});
