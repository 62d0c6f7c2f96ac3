import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { writeFiles } from '../../engine/workspace/testing/testFolder.ts';
import type { Io } from '../base/io.ts';
import { parseFlags } from '../base/parseFlags.ts';
import { commands } from '../commands.ts';
import { runChat } from './chat.ts';

const edit = { calls: [{ tool: 'edit_file', input: { filePath: 'a.txt', oldStr: 'old', newStr: 'new' } }] };

interface Talk {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  file(name: string): string;
  /** What its one session has kept, as it stands on the disk. */
  journal(): string;
}

/** Everything typed beforehand, as from a pipe; `interrupt` is pressed when this text has appeared. */
async function talk(
  lines: readonly string[],
  replies: readonly object[] = [],
  options: {
    readonly files?: Readonly<Record<string, string>>;
    readonly interruptAt?: string;
    readonly flags?: readonly string[];
  } = {},
): Promise<Talk> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vise-chat-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const project = join(folder, 'project');
  writeFiles(project, options.files ?? { 'a.txt': 'old words\n' });
  writeFileSync(join(folder, 'script.json'), JSON.stringify({ replies }));
  const flags = commands.find(({ name }) => name === 'chat')?.flags ?? [];
  const script = join(folder, 'script.json');
  const parsed = parseFlags(
    ['--project', project, '--mode', 'direct', '--script', script, ...(options.flags ?? [])],
    flags,
  );
  if (!parsed.ok) throw new Error(parsed.error);
  let out = '';
  let err = '';
  let interrupt: () => void = () => undefined;
  const see = (text: string): void => {
    if (options.interruptAt !== undefined && text.includes(options.interruptAt)) interrupt();
  };
  const io: Io = {
    env: { PATH: process.env['PATH'], HOME: folder, VISE_HOME: join(folder, 'home') },
    cwd: project,
    stdoutIsTty: false,
    stderrIsTty: false,
    stdinIsTty: false,
    out(text) {
      out += text;
      see(text);
    },
    err: (text) => {
      err += text;
    },
    readStdin: async () => '',
    readPiped: async () => undefined,
    async *stdinLines() {},
    onInterrupt(run) {
      interrupt = run;
      return { dispose: () => undefined };
    },
  };
  const input = new PassThrough();
  input.end(lines.map((line) => `${line}\n`).join(''));
  const code = await runChat(parsed.value, io, input);
  const journal = (): string => {
    const sessions = join(folder, 'home', 'state', 'sessions');
    const [name = ''] = readdirSync(sessions).filter((one) => existsSync(join(sessions, one, 'journal.jsonl')));
    return readFileSync(join(sessions, name, 'journal.jsonl'), 'utf8');
  };
  return { code, out, err, file: (name) => readFileSync(join(project, name), 'utf8'), journal };
}

test('the end of input ends it with 0, blank lines are passed over', async () => {
  const { code, out } = await talk(['', '   ']);
  expect(code).toBe(0);
  expect(out).toContain('/help lists the commands');
});

test('a question that the end of a pipe leaves open is nobody’s no: its reason is told once, with the remedy', async () => {
  const { code, out, err, file } = await talk(['Mend it.'], [edit, { text: 'Then not.' }]);
  expect([code, file('a.txt')]).toEqual([0, 'old words\n']);
  const told = `${out}${err}`;
  expect(told).toContain(
    '  Not allowed: dangerous tools are asked each time; nobody can be asked here. Allow it with --allow dangerous or a rule.\n',
  );
  expect(told).not.toMatch(/person/i);
  expect(told.split('nobody can be asked here')).toHaveLength(2);
});

test('likely answers of a question have numbers, and other words answer as well', async () => {
  const ask = { calls: [{ tool: 'ask_user', input: { question: 'Which colour?', choices: ['blue', 'green'] } }] };
  const { code, out } = await talk(['Paint.', '2', 'red', '/exit'], [ask, ask, { text: 'Painted.' }]);
  expect(code).toBe(0);
  expect(out).toContain('Which colour?\n  1  blue\n  2  green\n> ');
});

test('what a subagent asks is asked here, with its name', async () => {
  const begin = { calls: [{ tool: 'subagent', input: { title: 'colours', task: 'Find one.' } }] };
  const ask = { calls: [{ tool: 'ask_user', input: { question: 'Which colour?' } }] };
  // A script is played by each session from its beginning: first the subagent asks, then the agent.
  const { code, out } = await talk(['Paint.', 'red', 'blue', '/exit'], [begin, ask, { text: 'Painted.' }]);
  expect(code).toBe(0);
  expect(out).toContain('The subagent colours asks:\nWhich colour?\n> ');
  expect(out.split('Which colour?')).toHaveLength(3);
});

test('several questions come one after the other and are answered as one message', async () => {
  const input = {
    question: 'Which colours?',
    choices: ['blue', 'green', 'red'],
    multiple: true,
    more: [{ question: 'How large?', choices: ['small', 'large'] }, { question: 'Why?' }],
  };
  const { code, out, journal } = await talk(
    ['Paint.', '3, 1', 'huge', '', '/exit'],
    [{ calls: [{ tool: 'ask_user', input }] }, { text: 'Painted.' }],
  );
  expect(code).toBe(0);
  expect(out).toContain('(1 of 3) Which colours?\n  1  blue\n  2  green\n  3  red\n  several, as in 1,2\n> ');
  expect(out).toContain('(2 of 3) How large?\n  1  small\n  2  large\n> ');
  expect(journal()).toContain(
    JSON.stringify('1. Which colours?\n- red\n- blue\n\n2. How large?\nhuge\n\n3. Why?\n(no answer)').slice(1, -1),
  );
});

test('h allows for an hour where the agent asks for it, and is a no elsewhere', async () => {
  const runTests = (input: object) => ({ calls: [{ tool: 'run_tests', input }] });
  const files = { 'package.json': JSON.stringify({ scripts: { test: 'echo ran' } }) };
  const replies = [runTests({ grantPermission: true }), runTests({}), { text: 'Both ran.' }];
  const { code, out } = await talk(['Test it.', 'h'], replies, { files });
  expect([code, out.match(/Allow run_tests/g)]).toEqual([0, ['Allow run_tests']]);
  expect(out).toContain('for 60 minutes');
  const denied = await talk(['Change it.', 'h'], [edit, { text: 'Then not.' }]);
  expect(denied.file('a.txt')).toBe('old words\n');
});

test('a change is shown as a diff and happens only after y', async () => {
  const { code, out, file } = await talk(['Change it.', 'YES'], [edit, { text: 'It is new.' }]);
  expect(code).toBe(0);
  expect(out).toContain('-old words\n+new words\n');
  expect(out).toMatch(/Allow edit_file.*\? y\/N /);
  expect(out).toContain('It is new.');
  expect(file('a.txt')).toBe('new words\n');
});

test.each([[['Change it.', 'n']], [['Change it.', '']], [['Change it.', 'yes, but later']], [['Change it.']]])(
  '%j leaves the file as it is',
  async (lines) => {
    const { code, file } = await talk(lines, [edit, { text: 'Then not.' }]);
    expect(code).toBe(0);
    expect(file('a.txt')).toBe('old words\n');
  },
);

test('a question of the agent is answered in words', async () => {
  const ask = { calls: [{ tool: 'ask_user', input: { question: 'Which colour?' } }] };
  const { out } = await talk(['Paint.', 'blue', '/session'], [ask, { text: 'Painted.' }]);
  expect(out).toContain('Which colour?\n> ');
  expect(out).toContain('Painted.');
});

test('control characters in what is asked are shown, not obeyed', async () => {
  const hidden = { calls: [{ tool: 'edit_file', input: { filePath: 'a.txt', oldStr: 'old', newStr: '\u001b[2J' } }] };
  const { out } = await talk(['Change it.', 'n'], [hidden]);
  expect(out).not.toContain('\u001b[2J');
  expect(out).toContain('␛[2J');
});

test('an interrupt ends the turn and not the conversation', async () => {
  const { code, out } = await talk(['Talk.', '/session'], [{ text: 'word '.repeat(50_000) }], { interruptAt: 'word' });
  expect(code).toBe(0);
  expect(out).toMatch(/direct {2}1 turn$/m);
});

test('the slash commands answer', async () => {
  const { code, out } = await talk(
    [
      '/help',
      '/cwd',
      '/config',
      '/files',
      '/read a.txt',
      '/search words',
      '/search nothing.at.all',
      '/read',
      '/read none.txt',
      '/frob',
      '/mode ask',
      '/mode sometimes',
      '/provider',
      '/provider none',
      '/sessions',
      '/clear',
      '/load nowhere',
      '/continue',
      '/QUIT',
      'never read',
    ],
    [],
  );
  expect(code).toBe(0);
  for (const text of [
    '/search <text> [path]',
    'workdir    /',
    '> a.txt\n',
    'old words\n',
    'a.txt:1: old words',
    'no matches',
    'usage: /read <path>',
    'error: none.txt',
    'unknown command: /frob.',
    'mode: ask',
    'error: the modes are phased, direct, ask',
    'no providers yet',
    'error: unknown provider: none.',
    'session: ',
    'error: There is no session "nowhere".',
    'error: There is nothing to go on with.',
  ])
    expect(out).toContain(text);
});

test('/init asks before it replaces PROJECT.md, and shows it like any change', async () => {
  const write = { calls: [{ tool: 'write_file', input: { filePath: 'PROJECT.md', content: '# New\n' } }] };
  const files = { 'PROJECT.md': '# Mine\n' };
  const kept = await talk(['/init', 'n'], [write], { files });
  expect(kept.file('PROJECT.md')).toBe('# Mine\n');
  const { out, file } = await talk(['/init', 'y', 'y'], [write, { text: 'Written.' }], { files });
  expect(out).toContain('There is a PROJECT.md already. Replace it? y/N ');
  expect(out).toContain('-# Mine\n+# New\n');
  expect(file('PROJECT.md')).toBe('# New\n');
});

test('/rewind lists the messages and goes back to before one, in files and conversation or in one of them', async () => {
  const lines = ['Change it.', 'y', '/rewind', '/rewind 9', '/rewind 1 all', '/rewind 1 files', '/rewind 1', '/rewind'];
  const { code, out, file } = await talk(lines, [edit, { text: 'It is new.' }]);
  expect(code).toBe(0);
  expect(out).toMatch(/n +sent +message\n1 .*Change it\./);
  expect(out).toContain('error: there is no message 9');
  expect(out).toContain('error: say files, talk, or nothing for both');
  expect(out).toContain('back to before message 1\n  changed: a.txt\n');
  expect(out).toContain('there is no message to go back to');
  expect(file('a.txt')).toBe('old words\n');
});

test('C8: lists of tasks, messages and sessions, and what is taken back, print nothing that a terminal obeys', async () => {
  const hostile = '\u001B]52;c;aGk=\u0007\u001B]0;owned\u0007safe\u009B2J\u202Egnp.exe';
  const name = `${hostile}.txt`;
  const { out, err, code } = await talk(
    [
      `Write ${hostile}`,
      '/tasks',
      '/rewind',
      '/session',
      '/sessions',
      '/diff',
      '/undo',
      `/rewind ${hostile}`,
      '/rewind 1',
      '/exit',
    ],
    [
      {
        calls: [
          { tool: 'run', input: { command: `echo '${hostile}'` } },
          { tool: 'write_file', input: { filePath: name, content: hostile } },
        ],
      },
      { text: 'Done.' },
    ],
    { flags: ['--allow', 'dangerous'] },
  );
  expect(code).toBe(0);
  expect(`${out}${err}`).toContain('taken back: ');
  expect(`${out}${err}`).toContain('back to before message 1');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be printed
  expect(`${out}${err}`).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/);
});
