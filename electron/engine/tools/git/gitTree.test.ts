import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type TestBench, testBench } from '../../testing/engineForTest.ts';

const identity = ['-c', 'user.name=T', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];

function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync('git', [...identity, ...args], { cwd, encoding: 'utf8', stdio: 'pipe' });
}

/** A project with the branch `other`, which changes these files; everything is allowed, and nobody can be asked. */
function benchWithBranch(
  changed: Readonly<Record<string, string>>,
  rules: readonly object[] = [],
  allow: 'none' | 'dangerous' = 'dangerous',
): TestBench {
  const bench = testBench({ 'a.txt': '1\n', 'private/key': 'k\n' }, { allow, interactive: false });
  const { project } = bench;
  git(project, 'init', '--quiet', '--initial-branch=trunk');
  git(project, 'config', 'user.name', 'T');
  git(project, 'config', 'user.email', 't@example.com');
  git(project, 'add', '--all');
  git(project, 'commit', '--quiet', '--message=first');
  git(project, 'switch', '--quiet', '--create', 'other');
  for (const [name, text] of Object.entries(changed)) {
    mkdirSync(join(project, name, '..'), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  git(project, 'add', '--all', '--force');
  git(project, 'commit', '--quiet', '--message=second');
  git(project, 'switch', '--quiet', 'trunk');
  mkdirSync(bench.ports.places.config, { recursive: true });
  writeFileSync(join(bench.ports.places.config, 'rules.json'), JSON.stringify({ rules }));
  return bench;
}

const call = (bench: TestBench, tool: string, input: unknown) =>
  bench.engine.callTool(bench.project, tool, input, AbortSignal.timeout(60_000));

describe('C14: switching and merging are judged by the files that they write', () => {
  test.each(['.vscode/tasks.json', '.github/workflows/ci.yml', '.vise/rules.json', '.mcp.json'])(
    'C14: a branch that brings %s is asked even where everything is allowed',
    async (name) => {
      const bench = benchWithBranch({ [name]: '{}\n' });
      for (const [tool, input] of [
        ['git_branch', { action: 'switch', name: 'other' }],
        ['git_merge', { branch: 'other' }],
      ] as const) {
        const result = await call(bench, tool, input);
        expect(result).toMatchObject({ success: false, error: { code: 'PERMISSION_DENIED' } });
        expect(JSON.stringify(result)).toContain(name);
        expect(existsSync(join(bench.project, name))).toBe(false);
      }
    },
  );

  test.each([
    'git switch other',
    'git checkout other',
    'git checkout -q other',
    'git checkout -b mine other',
    'git switch --detach other',
    'git merge other',
    'git merge --ff-only --no-edit other',
    'git rebase other',
    'git reset --hard other',
    'git cherry-pick other',
    'git cherry-pick trunk..other',
    'git checkout other -- .',
    'git checkout other .vscode',
    'git restore --source=other .',
    'git restore -s other :/',
    'git -C src/.. switch other',
    'sh -c "git switch other"',
    'B=other; git switch $B',
    'git branch -f side other && git switch side',
    'git pull',
    'git pull origin trunk',
    'cd src && git switch other',
    'git switch far',
    'git stash pop',
    'git stash apply stash@{0}',
    'git bisect start other trunk',
    'git bisect run true',
    'git submodule update --init',
    'git submodule --quiet update',
    'git am far.patch',
    'git am < far.patch',
    'git apply far.patch',
    'git -C src apply --directory=.. ../far.patch',
    'git apply -p2 deep.patch',
    'git apply -p1 -p2 deep.patch',
    'git apply --stat --apply far.patch',
    'git apply --exclude --stat far.patch',
    'git apply --direct=.vscode bare.patch',
    'git apply guessed.patch',
    'git apply binary.patch',
    'git -C src -C .. apply far.patch',
    'git am coded.mbox',
    'patch -p1 < twice.patch',
    'patch -p0 < indented.patch',
    'patch -p0 < blank.patch',
    'patch -sd .vscode -p1 < bare.patch',
    'git format-patch --stdout trunk..other | git am',
    'git diff trunk other > x.patch; git apply x.patch',
    'patch -p1 < far.patch',
    'patch -p1 -i far.patch',
    'patch --input=far.patch --strip 1',
    'git apply <<E\n--- /dev/null\n+++ b/.vscode/tasks.json\n@@ -0,0 +1 @@\n+{}\nE',
  ])(
    'C14: the command "%s" is asked when it brings a protected file, though everything is allowed',
    async (command) => {
      const bench = benchWithBranch({ '.vscode/tasks.json': '{}\n' });
      const { project } = bench;
      mkdirSync(join(project, 'src'));
      git(project, 'update-ref', 'refs/remotes/upstream/far', 'other');
      mkdirSync(join(project, '.vscode'));
      writeFileSync(join(project, '.vscode/tasks.json'), '{"kept": 1}\n');
      git(project, 'stash', 'push', '--quiet', '--include-untracked');
      const patch = git(project, 'format-patch', '--stdout', 'trunk..other');
      writeFileSync(join(project, 'far.patch'), patch);
      const diff = (name: string, header = `--- /dev/null\n+++ ${name}`) => `${header}\n@@ -0,0 +1 @@\n+{}\n`;
      const coded = patch.replace(/\n\n([\s\S]*)$/, (_, body: string) => {
        const lines = Buffer.from(body).toString('base64').replace(/.{76}/g, '$&\n');
        return `\nContent-Transfer-Encoding: base64\n\n${lines}\n`;
      });
      const hostile = {
        'bare.patch': diff('b/tasks.json'),
        'guessed.patch': `${diff('x', '--- x\n+++ x')}${diff('.vscode/tasks.json')}`,
        'binary.patch':
          'diff --git q/.vscode/a b.json r/.vscode/a b.json\nnew file mode 100644\nindex 0000000..9e26dfe\nGIT binary patch\nliteral 2\nJcmb=J00000\n\n',
        'coded.mbox': coded,
        'twice.patch': diff('b//.vscode/tasks.json'),
        'indented.patch': diff('.vscode/tasks.json').replace(/^/gm, '  X'),
        'blank.patch': diff('.npmrc by somebody'),
      };
      for (const [name, text] of Object.entries(hostile)) writeFileSync(join(project, name), text);
      writeFileSync(join(project, 'deep.patch'), patch.replaceAll(/ [ab]\/\.vscode/g, ' a/x/.vscode'));
      const result = await call(bench, 'run', { command });
      expect(result).toMatchObject({ success: false, error: { code: 'PERMISSION_DENIED' } });
      expect(existsSync(join(project, '.vscode/tasks.json'))).toBe(false);
    },
  );

  test.each([
    ['git reset -q other', 'git checkout .'],
    ['git reset -q other', 'git checkout -- .vscode'],
    ['git reset -q other', 'git restore .'],
    ['git reset -q other', 'git checkout -qf'],
    ['git reset -q other', 'git checkout-index -fa'],
    ['git read-tree other', 'git checkout-index --all --force'],
    ['git read-tree other', 'git checkout-index --stdin < names'],
    ['git read-tree other', 'git checkout-index -a --prefix=copy/'],
    ['git reset -q --soft other', 'git reset --hard'],
    ['git reset -q --soft other', 'git reset --har'],
    ['git reset -q --soft other', 'git restore -SW .'],
    ['git reset -q --soft other', 'git stash'],
    ['git update-ref HEAD other', 'git -C src reset --hard'],
    ['git update-ref HEAD other', 'git switch --discard-changes trunk'],
    ['git symbolic-ref HEAD refs/heads/other', 'git stash push -q'],
  ])(
    'C14: what "%s" has put beside the files is asked about when "%s" writes it into them, though everything is allowed',
    async (before, command) => {
      const bench = benchWithBranch({ '.vscode/tasks.json': '{}\n' });
      const { project } = bench;
      mkdirSync(join(project, 'src'));
      writeFileSync(join(project, 'names'), '.vscode/tasks.json\n');
      expect(await call(bench, 'run', { command: before })).toMatchObject({ success: true });
      const result = await call(bench, 'run', { command });
      expect(result).toMatchObject({ success: false, error: { code: 'PERMISSION_DENIED' } });
      expect(existsSync(join(project, '.vscode/tasks.json'))).toBe(false);
    },
  );

  test('C14: where a repository names a filter, it is not run to find out what would be written', async () => {
    const bench = benchWithBranch({ '.gitattributes': '* filter=own\n' });
    const { project } = bench;
    writeFileSync(join(project, '.gitattributes'), '* filter=own\n');
    git(project, 'config', 'filter.own.clean', `touch '${join(bench.home, 'ran')}'; cat`);
    const asked = await call(bench, 'run', { command: 'git checkout a.txt' });
    expect(asked).toMatchObject({ success: false, error: { code: 'PERMISSION_DENIED' } });
    expect(existsSync(join(bench.home, 'ran'))).toBe(false);
  });

  test.each([
    'git stash',
    'git restore .',
    'git restore --staged .',
    'git checkout .',
    'git checkout -f',
    'git checkout-index -fa',
    'git switch plain',
    'git checkout plain',
    'git checkout -b fresh',
    'git switch -c fresh',
    'git checkout a.txt',
    'git checkout other -- a.txt',
    'git merge plain',
    'git reset --hard',
    'git reset other',
    'git fetch . other',
    'git rebase --abort || true',
    'git add -A && git commit -q -m x --allow-empty && git switch plain',
    'git stash list',
    'git apply plain.patch',
    'git apply --check far.patch',
    'git apply -p1 -v --whitespace=nowarn plain.patch',
    'patch -sNp1 -i plain.patch',
    'patch -p1 < plain.patch',
    'git bisect log || true',
    'git submodule status',
  ])('the command "%s" brings nothing that is protected and runs where everything is allowed', async (command) => {
    const bench = benchWithBranch({ '.vscode/tasks.json': '{}\n', 'a.txt': '2\n' });
    const { project } = bench;
    git(project, 'branch', 'plain');
    writeFileSync(join(project, 'plain.patch'), '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-1\n+3\n');
    writeFileSync(join(project, 'far.patch'), git(project, 'diff', 'trunk', 'other'));
    expect(await call(bench, 'run', { command })).toMatchObject({ success: true });
    expect(existsSync(join(project, '.vscode/tasks.json'))).toBe(false);
  });

  test('C14: a command that brings a denied path is refused by the rule', async () => {
    const rules = [{ effect: 'deny', match: { path: 'private/**' } }];
    const bench = benchWithBranch({ 'private/key': 'new\n' }, rules);
    for (const command of ['git switch other', 'git merge other', 'git checkout other -- private']) {
      const result = await call(bench, 'run', { command });
      expect(result).toMatchObject({ success: false, error: { code: 'PERMISSION_DENIED' } });
    }
  });

  test('C14: a branch that changes a denied path is refused, a commit and a stage of it too', async () => {
    const rules = [{ effect: 'deny', match: { path: 'private/**' } }];
    const bench = benchWithBranch({ 'private/key': 'new\n' }, rules);
    writeFileSync(join(bench.project, 'a.txt'), '2\n');
    const refused = { success: false, error: { code: 'PERMISSION_DENIED' } };
    expect(await call(bench, 'git_branch', { action: 'switch', name: 'other' })).toMatchObject(refused);
    expect(await call(bench, 'git_merge', { branch: 'other' })).toMatchObject(refused);
    writeFileSync(join(bench.project, 'private/key'), 'mine\n');
    expect(await call(bench, 'git_stage', {})).toMatchObject(refused);
    expect(await call(bench, 'git_stage', { files: ['.'] })).toMatchObject(refused);
    expect(await call(bench, 'git_commit', { message: 'x', stageAll: true })).toMatchObject(refused);
    expect(await call(bench, 'git_commit', { message: 'x', stageFiles: ['a.txt'] })).toMatchObject({ success: true });
  });

  test('C14: a plain branch is switched to where everything is allowed, and its files are shown before', async () => {
    const bench = benchWithBranch({ 'a.txt': '2\n' });
    expect(await call(bench, 'git_branch', { action: 'switch', name: 'other' })).toMatchObject({ success: true });
    expect(bench.file('a.txt')).toBe('2\n');
  });

  test('C14: leave for the tool is no leave to switch', async () => {
    const bench = benchWithBranch({ 'a.txt': '2\n' }, [{ effect: 'allow', match: { tool: 'git_branch' } }], 'none');
    expect(await call(bench, 'git_branch', { action: 'create', name: 'third' })).toMatchObject({ success: true });
    expect(await call(bench, 'git_branch', { action: 'switch', name: 'other' })).toMatchObject({
      success: false,
      error: { code: 'PERMISSION_REQUIRED' },
    });
  });

  test('C14: the question shows the files and what changes in them; a branch that moves meanwhile is stale', async () => {
    const bench = benchWithBranch({ 'a.txt': '2\n' });
    const person = testBench({}, { allow: 'none' });
    const session = await person.session([
      { calls: [{ tool: 'git_branch', input: { action: 'switch', name: 'other' } }] },
      { text: 'Done.' },
    ]);
    execFileSync('cp', ['-a', `${bench.project}/.`, person.project]);
    await session.send('switch');
    const { call: id } = await session.next('permission.asked');
    const [waiting] = session.waiting();
    expect(waiting?.intent).toMatchObject({
      risk: 'dangerous',
      preview: { kind: 'text', text: expect.stringMatching(/1 files? change[\s\S]*M a\.txt[\s\S]*-1\n\+2/) },
    });
    git(person.project, 'branch', '--force', 'other', 'trunk');
    await person.client.call('permission.answer', { session: session.id, call: id, decision: 'once' });
    const finished = await session.next('tool.finished');
    expect(finished.result).toMatchObject({ success: false, error: { code: 'STALE' } });
  });
});

describe.skipIf(process.platform !== 'linux')('C12: with the sandbox for commands (Linux: bubblewrap)', () => {
  test('C12: hooks of a commit run inside it, and those of a switch not at all', async () => {
    const bench = benchWithBranch({ 'a.txt': '2\n' });
    writeFileSync(
      join(bench.ports.places.config, 'config.json'),
      JSON.stringify({ settings: { sandbox: { commands: true } } }),
    );
    const made = await bench.restart();
    const outside = join(bench.home, 'escaped');
    for (const hook of ['pre-commit', 'post-checkout']) {
      const file = join(bench.project, '.git/hooks', hook);
      writeFileSync(file, `#!/bin/sh\ntouch '${outside}'; touch ran-${hook}\n`);
      chmodSync(file, 0o755);
    }
    await made.client.call('project.open', { path: made.project });
    const risks = await made.client.call('project.risks', { path: made.project });
    const hash = risks.ok ? risks.value.hash : '';
    await made.client.call('project.trust', { path: made.project, trust: 'trusted', hash });
    writeFileSync(join(bench.project, 'b.txt'), '1\n');
    const committed = await call(made, 'git_commit', { message: 'third', stageFiles: ['b.txt'] });
    expect(committed).toMatchObject({ success: true });
    expect(await call(made, 'git_branch', { action: 'switch', name: 'other' })).toMatchObject({
      data: { warnings: ['Hooks that do not run, since commands run in the sandbox: post-checkout'] },
    });
    const hasRun = (hook: string) => existsSync(join(bench.project, `ran-${hook}`));
    expect([existsSync(outside), hasRun('pre-commit'), hasRun('post-checkout')]).toEqual([false, true, false]);
  });
});
