import { once } from 'node:events';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findLeftovers } from '../.setup/leftovers.ts';
import { scripted } from './harness/configure.ts';
import { endIn, eventsOf, factsIn } from './harness/facts.ts';
import { productRoot, readTree } from './harness/folders.ts';
import { programEnvironment, startProgram } from './harness/program.ts';
import { expect, test } from './harness/test.ts';
import { until } from './harness/until.ts';

const resources = join(productRoot, 'resources');

const edit = { tool: 'edit_file', input: { filePath: 'a.txt', oldStr: 'old', newStr: 'new' } };
const read = { tool: 'read_file', input: { filePath: 'a.txt' } };

test.describe('the sample through vise exec', () => {
  test('explores, plans, changes two files, runs the tests in the background and is done', async ({
    makeProject,
    vise,
  }) => {
    const project = makeProject({});
    cpSync(join(resources, 'sample'), project, { recursive: true });
    const before = readTree(project);
    const { code, stdout, stderr } = await vise(
      [
        ...['exec', '--project', project, '--provider', 'scripted', '--script', join(resources, 'sampleScript.json')],
        ...['--allow', 'dangerous', '--wait', '--json', 'Make the failing test pass'],
      ],
      { limitMs: 110_000 },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });

    const facts = factsIn(stdout);
    const id = facts[0]?.session ?? '';
    expect(facts.every(({ session, at }) => session === id && !Number.isNaN(Date.parse(at)))).toBe(true);
    // With --wait the facts after the turn are printed before its end, so that turn.finished is always last.
    const durable = facts.slice(0, -1).map(({ seq }) => seq);
    expect(durable).toEqual([...durable].sort((a, b) => a - b));
    expect([...new Set(facts.map(({ event }) => event.type))]).toEqual(
      expect.arrayContaining([
        ...['session.started', 'turn.started', 'phase.changed', 'text.delta', 'message', 'tool.proposed'],
        ...['permission.answered', 'tool.started', 'tool.finished', 'change.applied', 'task.started'],
        ...['task.backgrounded', 'task.ended', 'usage', 'turn.finished'],
      ]),
    );
    expect(eventsOf(facts, 'phase.changed').map(({ from, to }) => `${from} ${to}`)).toEqual([
      'IDLE EXPLORING',
      'EXPLORING PLANNING',
      'PLANNING PATCHING',
      'PATCHING VERIFYING',
      'VERIFYING DONE',
    ]);
    // Each call that was proposed ends exactly once.
    expect(
      eventsOf(facts, 'tool.finished')
        .map(({ call }) => call)
        .sort(),
    ).toEqual(
      eventsOf(facts, 'tool.proposed')
        .map(({ call }) => call)
        .sort(),
    );
    expect(endIn(stdout)).toMatchObject({ outcome: 'done', text: expect.stringContaining('A sign in front') });
    expect(eventsOf(facts, 'task.ended').map(({ task }) => [task.command, task.background, task.exitCode])).toEqual([
      ['npm test', 'estimated', 0],
    ]);

    const after = readTree(project);
    const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
    expect(changed.sort()).toEqual(['src/parse.ts', 'src/tokens.ts']);
    expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort());
    expect(after['src/parse.ts']).toContain('return sign * tokens.reduce(');
  });

  test('denies by default what would have to be asked, tells the model, and ends with 3', async ({
    home,
    makeProject,
    vise,
  }) => {
    const project = makeProject({ 'a.txt': 'old\n' });
    const flags = scripted(home, [{ calls: [read, edit] }, { text: 'Then not.' }]);
    const { code, stdout } = await vise(['exec', '--project', project, '--mode', 'direct', ...flags, '--json', 'go']);
    expect(code).toBe(3);
    expect(readTree(project)).toEqual({ 'a.txt': 'old\n' });
    expect(eventsOf(factsIn(stdout), 'tool.finished').map(({ tool, result }) => [tool, result.success])).toEqual([
      ['read_file', true],
      ['edit_file', false],
    ]);
    expect(eventsOf(factsIn(stdout), 'tool.finished')[1]?.result).toMatchObject({
      error: { code: expect.stringMatching(/^PERMISSION_(DENIED|REQUIRED)$/), message: expect.stringMatching(/allow/) },
    });
    expect(endIn(stdout)).toMatchObject({
      outcome: 'incomplete',
      text: 'Then not.',
      open: ['Not written: a.txt (PERMISSION_REQUIRED)'],
    });
  });

  test('a rules file lets exactly what it says', async ({ home, makeProject, vise }) => {
    const project = makeProject({ 'a.txt': 'old\n', 'b.txt': 'old\n' });
    const rules = join(home, 'rules.json');
    writeFileSync(rules, JSON.stringify({ rules: [{ effect: 'allow', match: { tool: 'edit_file', path: 'a.txt' } }] }));
    const other = { ...edit, input: { ...edit.input, filePath: 'b.txt' } };
    const flags = scripted(home, [{ calls: [edit, other] }, { text: 'Over.' }]);
    const words = ['exec', '--project', project, '--mode', 'direct', '--rules', rules, ...flags, '--json', 'go'];
    const { code, stderr } = await vise(words);
    expect({ stderr, files: readTree(project) }).toEqual({ stderr: '', files: { 'a.txt': 'new\n', 'b.txt': 'old\n' } });
    expect(code).toBe(3);
  });
});

test.describe('the task', () => {
  test('is read from standard input where it is a dash', async ({ home, makeProject, vise }) => {
    const project = makeProject({});
    const { code, stdout } = await vise(
      ['exec', '--project', project, '--mode', 'direct', ...scripted(home, [{ text: 'Read.' }]), '--json', '-'],
      { stdin: 'one line\nand another: grün\n' },
    );
    expect(code).toBe(0);
    expect(eventsOf(factsIn(stdout), 'turn.started')[0]?.text.trim()).toBe('one line\nand another: grün');
  });

  test('goes on in the same session with --resume', async ({ home, makeProject, vise }) => {
    const project = makeProject({ 'a.txt': 'old\n' });
    // One script for both: a session that is resumed goes on in its script, too.
    const script = scripted(home, [{ text: 'First answer.' }, { text: 'Second answer.' }]);
    const common = ['exec', '--mode', 'direct', '--project', project, ...script, '--json'];
    const first = await vise([...common, 'first']);
    expect({ code: first.code, text: endIn(first.stdout).text }).toEqual({ code: 0, text: 'First answer.' });
    const id = factsIn(first.stdout)[0]?.session ?? '';
    const second = await vise([...common, '--resume', id, 'second']);
    expect({ code: second.code, stderr: second.stderr }).toEqual({ code: 0, stderr: '' });
    expect(endIn(second.stdout).text).toBe('Second answer.');
    expect(new Set(factsIn(second.stdout).map(({ session }) => session))).toEqual(new Set([id]));
    const shown = await vise(['sessions', 'show', id]);
    for (const text of ['first', 'First answer.', 'second', 'Second answer.']) expect(shown.stdout).toContain(text);
  });

  test('prints for people without JSON: the final answer alone on stdout, what happens on stderr', async ({
    home,
    makeProject,
    vise,
  }) => {
    const project = makeProject({ 'a.txt': 'old\n' });
    const flags = scripted(home, [{ text: 'I change it.', calls: [edit] }, { text: 'Changed.' }]);
    const { code, stdout, stderr } = await vise([
      ...['exec', '--project', project, '--mode', 'direct', '--allow', 'dangerous', ...flags, 'go'],
    ]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Changed.\n' });
    expect(stderr).toContain('I change it.');
    expect(stderr).toContain('applied a.txt +1 −1');
  });
});

test.describe('interrupt', () => {
  for (const [what, command] of [
    ['a command', 'sleep 1000'],
    ['a command with children of its own session', 'setsid sleep 1000 & (setsid setsid sleep 1000 &) ; sleep 1000'],
  ] as const) {
    test(`ends ${what}, leaves no survivor and ends with 130`, async ({ home, makeProject }) => {
      const project = makeProject({});
      const flags = scripted(home, [{ calls: [{ tool: 'run', input: { command } }] }, { text: 'Never.' }]);
      const child = startProgram(
        ['exec', '--project', project, '--mode', 'direct', '--allow', 'dangerous', ...flags, '--json', 'go'],
        programEnvironment(home),
        home,
      );
      const closed = once(child, 'close');
      let stdout = '';
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
      });
      const mark = `TEST_FILE_MARK=${home}`;
      const sleeping = (): number =>
        findLeftovers(0, mark).filter(({ command: line }) => /^\S*sleep 1000$/.test(line)).length;
      try {
        await until('the command to run', () => sleeping() === command.split('sleep').length - 1, {
          report: () => stdout,
        });
        child.kill('SIGINT');
        const [code] = (await closed) as [number | null];
        expect(code).toBe(130);
        expect(endIn(stdout).outcome).toBe('cancelled');
        expect(findLeftovers(0, mark)).toEqual([]);
      } finally {
        child.kill('SIGKILL');
        for (const { pid } of findLeftovers(0, mark)) process.kill(pid, 'SIGKILL');
      }
    });
  }
});

test.describe('exit codes', () => {
  test('1: the task ended otherwise than done', async ({ home, makeProject, vise }) => {
    const project = makeProject({ 'a.txt': 'old\n' });
    const again = Array.from({ length: 40 }, () => ({ calls: [read] }));
    const { code, stdout } = await vise([
      ...['exec', '--project', project, '--mode', 'direct', ...scripted(home, again), '--json', 'go'],
    ]);
    expect(endIn(stdout)).toMatchObject({ outcome: 'blocked', error: { code: 'LIMIT_EXCEEDED' } });
    expect(code).toBe(1);
  });

  test('1: a tool failed', async ({ makeProject, vise }) => {
    const project = makeProject({});
    const { code, stdout } = await vise(['tool', 'read_file', '--filePath', 'none.txt', '--project', project]);
    expect(JSON.parse(stdout)).toMatchObject({ success: false, error: { code: 'FILE_NOT_FOUND' } });
    expect(code).toBe(1);
  });

  test('2: no task, no provider, no such command', async ({ makeProject, vise }) => {
    const project = makeProject({});
    for (const words of [
      ['exec'],
      ['exec', '--project', project, 'go'],
      ['exce', 'go'],
      ['exec', '--resume', 'none', 'go'],
      ['exec', '--rules', join(project, 'none.json'), 'go'],
      ['exec', '--mode', 'wild', 'go'],
    ]) {
      const { code, stdout, stderr } = await vise(words, { cwd: project });
      expect({ words, code, stdout }).toEqual({ words, code: 2, stdout: '' });
      expect(stderr).toMatch(/^vise/);
    }
  });

  test('3: a single tool call that would have to be asked', async ({ makeProject, vise }) => {
    const project = makeProject({ 'a.txt': 'old\n' });
    const words = ['tool', 'edit_file', '--input', JSON.stringify(edit.input), '--project', project];
    const { code, stdout } = await vise(words);
    expect(JSON.parse(stdout)).toMatchObject({ success: false, error: { code: 'PERMISSION_REQUIRED' } });
    expect({ code, files: readTree(project) }).toEqual({ code: 3, files: { 'a.txt': 'old\n' } });
    expect((await vise([...words, '--allow', 'dangerous'])).code).toBe(0);
    expect(readTree(project)).toEqual({ 'a.txt': 'new\n' });
  });
});
