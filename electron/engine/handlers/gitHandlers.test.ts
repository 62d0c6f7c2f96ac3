import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { InputOf } from '../../../shared/contract/api.ts';
import { testEnvironment } from '../git/testing/testRepository.ts';
import { type TestBench, testBench } from '../testing/engineForTest.ts';
import { testFolder } from '../workspace/testing/testFolder.ts';

const lines = (changed: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 40 }, (_, at) => `${changed[at] ?? `line ${at}`}\n`).join('');

function trial(files: Readonly<Record<string, string>> = { 'a.txt': lines(), 'b.txt': 'b\n' }, path = '') {
  const env = { HOME: testFolder(), PATH: `${path}:${process.env['PATH']}` };
  const bench = testBench(files, path === '' ? {} : { env });
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: bench.project, env: testEnvironment, encoding: 'utf8' }).trimEnd();
  git('init', '--quiet', '--initial-branch=trunk');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.org');
  git('add', '--all');
  git('commit', '--quiet', '--message=first');
  return { bench, git };
}

async function stateOf({ client, project }: TestBench) {
  const read = await client.call('git.state', { project });
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}

const act = async ({ client, project }: TestBench, action: InputOf<'git.act'>['action'], confirmed?: string) => {
  const done = await client.call('git.act', { project, action, confirmed });
  return done.ok ? done.value : { error: done.error };
};

/** Does it, and says yes to what is asked about it. */
async function actAndConfirm(bench: TestBench, action: InputOf<'git.act'>['action']) {
  const first = await act(bench, action);
  if (!('asks' in first) || !first.asks) throw new Error('nothing was asked');
  return act(bench, action, first.asks.id);
}

test('one hunk of two is staged and committed, the other stays', async () => {
  const { bench, git } = trial();
  const after = lines({ 3: 'first', 30: 'second' });
  writeFileSync(join(bench.project, 'a.txt'), after);
  const { state } = await stateOf(bench);
  expect(state).toMatchObject({ branch: 'trunk', hasRemote: false, files: [{ path: 'a.txt', status: 'modified' }] });
  const of = state?.files[0]?.unstaged?.id;
  expect(state?.files[0]?.unstaged?.hunks).toHaveLength(2);
  expect(await act(bench, { do: 'stage', files: ['a.txt'], hunks: [2], of })).toEqual({ done: '' });
  expect((await stateOf(bench)).state?.files[0]).toMatchObject({
    staged: { additions: 1 },
    unstaged: { additions: 1 },
  });
  expect(await act(bench, { do: 'stage', files: ['a.txt'], hunks: [1], of })).toMatchObject({
    error: { code: 'STALE' },
  });
  expect(await act(bench, { do: 'commit', message: 'Second' })).toMatchObject({ done: expect.any(String) });
  expect(git('show', 'HEAD:a.txt')).toBe(lines({ 30: 'second' }).trimEnd());
  expect(readFileSync(join(bench.project, 'a.txt'), 'utf8')).toBe(after);
});

test('a rule that denies holds for the person as well', async () => {
  const { bench } = trial();
  writeFileSync(join(bench.project, 'a.txt'), lines({ 3: 'x' }));
  const rules = [{ effect: 'deny', match: { tool: 'git_commit' } }];
  execFileSync('mkdir', ['-p', join(bench.project, '.vise')]);
  writeFileSync(join(bench.project, '.vise', 'rules.json'), JSON.stringify({ version: 1, rules }));
  await act(bench, { do: 'stage', files: ['a.txt'] });
  expect(await act(bench, { do: 'commit', message: 'x' })).toMatchObject({ error: { code: 'PERMISSION_DENIED' } });
});

test('switching shows the files that it writes first, and is refused when a branch has moved since', async () => {
  const { bench, git } = trial();
  expect(await act(bench, { do: 'createBranch', name: 'other' })).toEqual({ done: '' });
  git('switch', '--quiet', 'other');
  writeFileSync(join(bench.project, 'b.txt'), 'other\n');
  git('commit', '--quiet', '--all', '--message=other');
  git('switch', '--quiet', 'trunk');
  const first = await act(bench, { do: 'switch', name: 'other' });
  expect(first).toMatchObject({
    asks: { summary: 'Switch to the branch other', text: expect.stringContaining('b.txt') },
  });
  expect(git('branch', '--show-current')).toBe('trunk');
  git('branch', '--force', 'other', 'trunk~0');
  expect(await act(bench, { do: 'switch', name: 'other' }, 'asks' in first ? first.asks?.id : '')).toMatchObject({
    asks: { summary: 'Switch to the branch other' },
  });
  expect(await actAndConfirm(bench, { do: 'switch', name: 'other' })).toMatchObject({ done: expect.any(String) });
  expect(git('branch', '--show-current')).toBe('other');
});

test('both sides of each conflict are shown, and resolved by a choice for each', async () => {
  const { bench, git } = trial();
  git('switch', '--quiet', '--create', 'other');
  writeFileSync(join(bench.project, 'a.txt'), lines({ 3: 'theirs', 30: 'theirs too' }));
  git('commit', '--quiet', '--all', '--message=other');
  git('switch', '--quiet', 'trunk');
  writeFileSync(join(bench.project, 'a.txt'), lines({ 3: 'ours', 30: 'ours too' }));
  git('commit', '--quiet', '--all', '--message=mine');
  expect(() => git('merge', 'other')).toThrow();
  const { state } = await stateOf(bench);
  expect(state?.middle).toMatch(/^a merge is in progress: resolve/);
  const conflict = state?.files[0]?.conflict;
  expect(conflict?.parts).toEqual([
    { ours: 'ours\n', theirs: 'theirs\n', oursName: 'HEAD', theirsName: 'other' },
    { ours: 'ours too\n', theirs: 'theirs too\n', oursName: 'HEAD', theirsName: 'other' },
  ]);
  const resolve = { do: 'resolve', file: 'a.txt', of: conflict?.id ?? '', choices: ['theirs', 'both'] } as const;
  expect(await act(bench, { ...resolve, choices: ['ours'] })).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
  expect(await act(bench, { ...resolve, of: 'old' })).toMatchObject({ error: { code: 'STALE' } });
  expect(await act(bench, resolve)).toMatchObject({ done: expect.any(String) });
  expect(readFileSync(join(bench.project, 'a.txt'), 'utf8')).toBe(lines({ 3: 'theirs', 30: 'ours too\ntheirs too' }));
  expect(git('diff', '--name-only', '--diff-filter=U')).toBe('');
  expect(await act(bench, { do: 'commit', message: 'Merge other' })).toMatchObject({ done: expect.any(String) });
});

test('fetch, pull and push go to a remote after they were shown, by words and never by a shell', async () => {
  const { bench, git } = trial();
  const remote = testFolder();
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=trunk', remote], { env: testEnvironment });
  expect(await act(bench, { do: 'push' })).toMatchObject({ error: { code: 'CONFLICT' } });
  git('remote', 'add', 'origin', remote);
  expect(await act(bench, { do: 'push' })).toMatchObject({
    asks: { text: expect.stringContaining('git push --set-upstream origin trunk') },
  });
  expect(await actAndConfirm(bench, { do: 'push' })).toMatchObject({ done: expect.any(String) });
  expect((await stateOf(bench)).state).toMatchObject({ upstream: 'origin/trunk', ahead: 0 });
  expect(await actAndConfirm(bench, { do: 'fetch' })).toMatchObject({ done: expect.any(String) });
  expect(await actAndConfirm(bench, { do: 'pull' })).toMatchObject({ done: expect.stringContaining('up to date') });
});

test('a pull request is made and its comments are read by gh, where it is installed', async () => {
  const folder = testFolder();
  const said = { number: 7, title: 'T', url: 'u', comments: [{ author: { login: 'bo' }, body: 'Why?' }], reviews: [] };
  writeFileSync(
    join(folder, 'gh'),
    `#!/bin/sh\nif [ "$2" = view ]; then echo '${JSON.stringify(said)}'; else printf '%s|' "$@"; fi\n`,
  );
  chmodSync(join(folder, 'gh'), 0o755);
  const { bench } = trial(undefined, folder);
  expect((await stateOf(bench)).state?.hosting).toBe('gh');
  const title = 'It is $(whoami)';
  expect(await actAndConfirm(bench, { do: 'pullRequest', title, body: 'b' })).toEqual({
    done: `pr|create|--title|${title}|--body|b|`,
  });
  const asked = await bench.client.call('git.comments', { project: bench.project });
  const confirmed = asked.ok ? asked.value.asks?.id : undefined;
  const read = await bench.client.call('git.comments', { project: bench.project, confirmed });
  expect(read).toMatchObject({ ok: true, value: { text: '#7 T u\n\nbo: Why?' } });
});

test('the session’s model proposes a message for what is staged', async () => {
  const { bench } = trial();
  const session = await bench.session([{ text: 'Raise the third line' }]);
  expect(await bench.client.call('git.propose', { session: session.id })).toMatchObject({
    error: { code: 'NOTHING_TO_COMMIT' },
  });
  writeFileSync(join(bench.project, 'a.txt'), lines({ 3: 'x' }));
  await act(bench, { do: 'stage' });
  expect(await bench.client.call('git.propose', { session: session.id })).toEqual({
    ok: true,
    value: { message: 'Raise the third line' },
  });
});

test('C11: what a rule denies to read is in no proposal of a message, though it is staged', async () => {
  const { bench } = trial({ 'secret.txt': 'old\n' });
  execFileSync('mkdir', ['-p', join(bench.project, '.vise')]);
  const rules = [{ effect: 'deny', match: { path: 'secret.txt' } }];
  writeFileSync(join(bench.project, '.vise', 'rules.json'), JSON.stringify({ version: 1, rules }));
  writeFileSync(join(bench.project, 'secret.txt'), 'new\n');
  execFileSync('git', ['add', 'secret.txt'], { cwd: bench.project, env: testEnvironment });
  const session = await bench.session([{ text: 'It knows' }]);
  expect(await bench.client.call('git.propose', { session: session.id })).toMatchObject({
    error: { code: 'NOTHING_TO_COMMIT' },
  });
});

test('no repository, no commit yet and a detached HEAD each say what they are', async () => {
  const bare = testBench({ a: '1' }, { env: { ...testEnvironment, HOME: testFolder() } });
  expect(await stateOf(bare)).toEqual({ problem: expect.stringContaining('not in a git repository') });
  execFileSync('git', ['init', '--quiet', '--initial-branch=trunk'], { cwd: bare.project, env: testEnvironment });
  expect((await stateOf(bare)).state).toMatchObject({ head: null, branch: 'trunk', files: expect.any(Array) });
  const { bench, git } = trial();
  git('switch', '--quiet', '--detach');
  expect((await stateOf(bench)).state).toMatchObject({ branch: null, detached: true });
  expect(await act(bench, { do: 'push' })).toMatchObject({ error: { code: 'CONFLICT' } });
  const none = testBench({ a: '1' }, { env: { HOME: testFolder(), PATH: '/nowhere' } });
  expect((await stateOf(none)).problem).toMatch(/git/);
});
