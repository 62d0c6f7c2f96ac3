import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultSettings } from '../../../shared/model/settings.ts';
import { protectionFrom } from '../permission/rules/ruleContext.ts';
import { followSession } from '../testing/engineForTest.ts';
import { laneBench, valueOf } from '../testing/laneBench.ts';
import { testFolder, writeFiles } from '../workspace/testing/testFolder.ts';
import { withShare } from './laneShare.ts';

const tenLines = Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`).join('');

test('a lane is a branch and a working tree outside the project, with a session that names both', async () => {
  const { client, project, home, git, engine } = laneBench({ 'a.txt': 'one\n' });
  const made = valueOf(await client.call('lane.create', { project, name: 'idea' }));
  expect(made).toMatchObject({ lane: { name: 'idea', home: project, branch: 'vise/idea' }, left: [], notes: [] });
  expect(made.folder.startsWith(join(home))).toBe(true);
  expect(readFileSync(join(made.folder, 'a.txt'), 'utf8')).toBe('one\n');
  expect(git('branch', '--format=%(refname:short)').split('\n')).toEqual(['trunk', 'vise/idea']);
  expect(git('status', '--porcelain')).toBe('');
  const listed = engine.sessions.list().find(({ id }) => id === made.session);
  expect(listed).toMatchObject({ project: made.folder, lane: { name: 'idea', home: project, branch: 'vise/idea' } });
  writeFiles(made.folder, { 'a.txt': 'two\n', 'new.txt': 'a\nb\n' });
  const { lanes } = valueOf(await client.call('lane.list', { project }));
  expect(lanes).toMatchObject([
    { name: 'idea', state: 'open', session: made.session, files: 2, additions: 3, deletions: 1, commits: 0 },
  ]);
});

test('uncommitted files are named, and carried over only when it is said', async () => {
  const { client, project, git } = laneBench({ 'a.txt': 'one\n', 'gone.txt': 'x\n' });
  writeFiles(project, { 'a.txt': 'mine\n', 'sub/new.txt': 'new\n' });
  rmSync(join(project, 'gone.txt'));
  const { plan } = valueOf(await client.call('lane.plan', { project }));
  expect(plan).toMatchObject({
    name: 'lane-1',
    branch: 'vise/lane-1',
    from: 'trunk',
    uncommitted: ['a.txt', 'gone.txt', 'sub/new.txt'],
    uncommittedCount: 3,
  });
  const bare = valueOf(await client.call('lane.create', { project }));
  expect(bare.left).toEqual(['a.txt', 'gone.txt', 'sub/new.txt']);
  expect(readFileSync(join(bare.folder, 'a.txt'), 'utf8')).toBe('one\n');
  const full = valueOf(await client.call('lane.create', { project, carry: true }));
  expect(full).toMatchObject({ lane: { name: 'lane-2' }, left: [] });
  expect(readFileSync(join(full.folder, 'a.txt'), 'utf8')).toBe('mine\n');
  expect(readFileSync(join(full.folder, 'sub/new.txt'), 'utf8')).toBe('new\n');
  expect(existsSync(join(full.folder, 'gone.txt'))).toBe(false);
  // What was carried is no change of the lane, and no commit of its branch.
  const { lanes } = valueOf(await client.call('lane.list', { project }));
  expect(lanes.at(1)).toMatchObject({ name: 'lane-2', files: 0, commits: 0 });
  expect(git('rev-parse', 'vise/lane-2')).toBe(git('rev-parse', 'trunk'));
});

test('a lane that is home closes and leaves no tree, branch, ref or record', async () => {
  const { client, project, home, git, engine } = laneBench({ 'a.txt': 'one\n' });
  const made = valueOf(await client.call('lane.create', { project, name: 'idea', carry: true }));
  expect(valueOf(await client.call('lane.close', { project, name: 'idea' }))).toEqual({ commits: 0 });
  expect(existsSync(made.folder)).toBe(false);
  expect(git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/trunk');
  expect(git('worktree', 'list').split('\n')).toHaveLength(1);
  expect(
    readdirSync(join(home, 'state', 'lanes'), { recursive: true }).filter((name) => String(name).includes('idea')),
  ).toEqual([]);
  expect(valueOf(await client.call('lane.list', { project }))).toEqual({ lanes: [], told: [] });
  expect(engine.sessions.list().find(({ id }) => id === made.session)).toMatchObject({ archived: true });
});

test('a lane with content that is nowhere else is closed only when the person lets it go', async () => {
  const { client, project } = laneBench({ 'a.txt': 'one\n' });
  const { folder } = valueOf(await client.call('lane.create', { project, name: 'idea' }));
  writeFiles(folder, { 'a.txt': 'two\n' });
  const refused = await client.call('lane.close', { project, name: 'idea' });
  expect(refused).toMatchObject({ ok: false, error: { code: 'CONFLICT', details: { files: ['a.txt'] } } });
  expect(existsSync(folder)).toBe(true);
  // The same content in the project: nothing is lost.
  writeFiles(project, { 'a.txt': 'two\n' });
  valueOf(await client.call('lane.close', { project, name: 'idea' }));
  expect(existsSync(folder)).toBe(false);
});

test('commits that are on no other branch are kept when a lane is closed, until they are let go', async () => {
  const { client, project, git, gitIn } = laneBench({ 'a.txt': 'one\n' });
  const { folder } = valueOf(await client.call('lane.create', { project, name: 'idea' }));
  writeFiles(folder, { 'a.txt': 'two\n' });
  gitIn(folder, 'commit', '--quiet', '--all', '--message=work');
  expect(await client.call('lane.close', { project, name: 'idea' })).toMatchObject({ ok: false });
  expect(valueOf(await client.call('lane.close', { project, name: 'idea', discard: true }))).toEqual({ commits: 1 });
  expect(existsSync(folder)).toBe(false);
  expect(git('log', '-1', '--format=%s', 'vise/idea')).toBe('work');
  expect(valueOf(await client.call('lane.list', { project })).lanes).toMatchObject([{ state: 'closed', commits: 1 }]);
  expect(await client.call('lane.create', { project, name: 'idea' })).toMatchObject({
    error: { code: 'BRANCH_ALREADY_EXISTS' },
  });
  valueOf(await client.call('lane.letGo', { project, name: 'idea' }));
  expect(git('branch', '--format=%(refname:short)')).toBe('trunk');
  expect(valueOf(await client.call('lane.list', { project })).lanes).toEqual([]);
});

test('a lane whose folder was removed by hand is shown as gone, keeps its commits and closes', async () => {
  const { client, project, git, gitIn } = laneBench({ 'a.txt': 'one\n' });
  const { folder } = valueOf(await client.call('lane.create', { project, name: 'idea' }));
  writeFiles(folder, { 'a.txt': 'two\n' });
  gitIn(folder, 'commit', '--quiet', '--all', '--message=work');
  rmSync(folder, { recursive: true });
  expect(valueOf(await client.call('lane.list', { project })).lanes).toMatchObject([{ state: 'gone', commits: 1 }]);
  expect(valueOf(await client.call('lane.close', { project, name: 'idea' }))).toEqual({ commits: 1 });
  expect(git('worktree', 'list').split('\n')).toHaveLength(1);
  expect(git('log', '-1', '--format=%s', 'vise/idea')).toBe('work');
});

test('what cannot be a lane is refused with the reason', async () => {
  const { client, project, git } = laneBench({ 'a.txt': 'one\n' });
  const plan = (name?: string) => client.call('lane.plan', { project, name });
  git('branch', 'vise/taken');
  expect(await plan('taken')).toMatchObject({ error: { code: 'BRANCH_ALREADY_EXISTS' } });
  expect(await plan('../x')).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
  git('checkout', '--quiet', '--detach');
  expect(await plan()).toMatchObject({ ok: true, value: { plan: { notes: [expect.stringContaining('detached')] } } });
  git('checkout', '--quiet', '--orphan', 'empty');
  expect(await plan()).toMatchObject({ error: { code: 'UNAVAILABLE', message: expect.stringContaining('no commit') } });
  git('checkout', '--quiet', '--force', 'trunk');
  writeFileSync(join(project, '.gitmodules'), '[submodule "m"]\n\tpath = vendor/m\n\turl = ./m\n');
  expect(await plan()).toMatchObject({ value: { plan: { notes: [expect.stringContaining('vendor/m')] } } });
  rmSync(join(project, '.git'), { recursive: true });
  expect(await plan()).toMatchObject({ error: { code: 'NOT_A_GIT_REPOSITORY' } });
});

test('a lane of a shallow history is made, as short as the project and with a word of it; a bare repository has none', async () => {
  const { client, project, git, gitIn } = laneBench({ 'a.txt': 'one\n' });
  writeFiles(project, { 'a.txt': 'two\n' });
  git('commit', '--quiet', '--all', '--message=second');
  const shallow = testFolder({});
  gitIn(shallow, 'clone', '--quiet', '--depth=1', `file://${project}`, '.');
  const made = valueOf(await client.call('lane.create', { project: shallow, name: 'idea' }));
  expect(made.notes).toEqual([expect.stringContaining('history is shallow')]);
  expect(readFileSync(join(made.folder, 'a.txt'), 'utf8')).toBe('two\n');
  expect(gitIn(made.folder, 'log', '--format=%s')).toBe('second');
  expect(valueOf(await client.call('lane.close', { project: shallow, name: 'idea' }))).toEqual({ commits: 0 });
  const bare = testFolder({});
  gitIn(bare, 'clone', '--quiet', '--bare', project, '.');
  expect(await client.call('lane.create', { project: bare, name: 'idea' })).toMatchObject({
    ok: false,
    error: { code: 'NOT_A_GIT_REPOSITORY', message: expect.stringContaining('has no working tree') },
  });
  expect(gitIn(bare, 'branch', '--format=%(refname:short)')).toBe('trunk');
});

test('a lane of a lane belongs to the project', async () => {
  const { client, project } = laneBench({ 'a.txt': 'one\n' });
  const { folder } = valueOf(await client.call('lane.create', { project, name: 'idea' }));
  const second = valueOf(await client.call('lane.create', { project: folder, name: 'other' }));
  expect(second.lane.home).toBe(project);
});

test('files and hunks of a lane say whether they fit the project as it is now', async () => {
  const { client, project } = laneBench({ 'a.txt': tenLines, 'b.txt': 'b\n', 'c.txt': 'c\n' });
  const { folder } = valueOf(await client.call('lane.create', { project, name: 'idea' }));
  writeFiles(folder, { 'a.txt': tenLines.replace('line 2', 'LANE 2').replace('line 9', 'LANE 9'), 'c.txt': 'both\n' });
  rmSync(join(folder, 'b.txt'));
  writeFiles(project, { 'a.txt': tenLines.replace('line 9', 'mine 9'), 'b.txt': 'mine\n', 'c.txt': 'both\n' });
  const { lanes } = valueOf(await client.call('lane.files', { project, picks: [{ lane: 'idea' }] }));
  expect(lanes).toMatchObject([
    {
      lane: 'idea',
      files: [
        {
          path: 'a.txt',
          hunks: [
            { index: 0, line: 2, removed: 'line 2', added: 'LANE 2' },
            { index: 1, line: 9, removed: 'line 9', added: 'LANE 9' },
          ],
          conflicts: [{ hunk: 1, why: 'line 9 was changed by the project since the lane began' }],
        },
        { path: 'b.txt', status: 'deleted', conflicts: [{ why: expect.stringContaining('deleted in the lane') }] },
        { path: 'c.txt', isHome: true, conflicts: [] },
      ],
    },
  ]);
});

test('trust of the project counts in its lanes while what could run there is the same, byte for byte', async () => {
  const { client, project, engine } = laneBench({ 'AGENTS.md': 'Be brief.\n', 'a.txt': 'one\n' });
  valueOf(await client.call('project.open', { path: project }));
  const { hash } = valueOf(await client.call('project.risks', { path: project }));
  const { folder } = valueOf(await client.call('lane.create', { project }));
  const trusted = async (): Promise<boolean> => valueOf(await engine.project(folder)).trusted();
  expect(await trusted()).toBe(false);
  valueOf(await client.call('project.trust', { path: project, trust: 'trusted', hash }));
  expect(await trusted()).toBe(true);
  writeFiles(folder, { 'AGENTS.md': 'Be loud.\n' });
  expect(await trusted()).toBe(false);
  writeFiles(folder, { 'AGENTS.md': 'Be brief.\n' });
  expect(await trusted()).toBe(true);
  writeFiles(folder, { '.git': `gitdir: ${join(project, '.git')}\n` });
  expect(await trusted()).toBe(false);
});

test('the agent edits files of a lane as those of any project', async () => {
  const { client, project, home, engine } = laneBench({ 'a.txt': 'one\n' });
  const { folder } = valueOf(await client.call('lane.create', { project, name: 'idea' }));
  const { ruleContext } = valueOf(await engine.project(folder));
  const protection = protectionFrom(folder, ruleContext);
  expect([protection('a.txt'), protection(join(home, 'state', 'lanes', 'x.json')), protection('.git')]).toEqual([
    undefined,
    expect.stringContaining('Vise keeps'),
    expect.any(String),
  ]);
  const input = { filePath: 'a.txt', oldStr: 'one', newStr: 'two' };
  const edited = await engine.callTool(folder, 'edit_file', input, new AbortController().signal, {
    ask: async () => 'allow',
  });
  expect(edited).toMatchObject({ success: true });
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('two\n');
});

test('the set-up command of a lane is asked about like any command, runs there with its ports and ends with it', async () => {
  const { client, project, engine } = laneBench({ 'a.txt': 'one\n' });
  const setup = 'echo "$VISE_LANE $PORT $VISE_LANE_PORTS"; exec sleep 600';
  const { folder, session: id } = valueOf(await client.call('lane.create', { project, name: 'idea', setup }));
  const session = await followSession(client, id);
  const [call] = session.waiting();
  expect(call?.intent?.preview).toMatchObject({ kind: 'command', command: setup, cwd: folder });
  valueOf(await client.call('permission.answer', { session: id, call: call?.id ?? '', decision: 'once' }));
  await session.next('tool.finished');
  await session.next('task.started');
  const [task] = await engine.tasks.running();
  const pid = task?.pid ?? 0;
  expect(pid).toBeGreaterThan(1);
  valueOf(await client.call('lane.close', { project, name: 'idea' }));
  expect(() => process.kill(pid, 0)).toThrow();
  expect(existsSync(folder)).toBe(false);
});

test('commands of a project and its lanes share the task workers', () => {
  const records = {
    ofFolder: () => undefined,
    list: () => [{ state: 'open' }, { state: 'open' }, { state: 'closed' }],
  };
  const share = (backgroundMaxWorkers: number) =>
    withShare(records as never, '/p', { ...defaultSettings, shell: { ...defaultSettings.shell, backgroundMaxWorkers } })
      .shell.backgroundMaxWorkers;
  expect([share(7), share(2), share(1)]).toEqual([2, 1, 1]);
});
