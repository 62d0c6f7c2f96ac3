import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type IPty, spawn } from 'node-pty';
import { findLeftovers } from '../.setup/leftovers.ts';
import { productRoot, readTree } from './harness/folders.ts';
import { programEnvironment } from './harness/program.ts';
import { expect, test } from './harness/test.ts';
import { until } from './harness/until.ts';

const escapes = /\u001B(?:\[[0-9;?]*[A-Za-z]|\][^\u0007]*\u0007|[=>])/g;

interface Chat {
  /** What the screen has been told, without its escape sequences. */
  text(): string;
  type(text: string): void;
  /** Waits until a text has appeared behind what had appeared before the last `see`. */
  see(text: string): Promise<void>;
  code(): number | undefined;
}

/** `vise chat` on a real terminal; ended when the test is over. */
function chatOn(
  home: string,
  project: string,
  replies: readonly object[],
  ended: (() => void)[],
  allow: 'none' | 'dangerous' = 'none',
): Chat {
  const script = join(home, 'script.json');
  writeFileSync(script, JSON.stringify({ replies }));
  const args = [
    'chat',
    '--project',
    project,
    '--mode',
    'direct',
    '--allow',
    allow,
    '--provider',
    'scripted',
    '--script',
    script,
  ];
  const env = Object.fromEntries(
    Object.entries(programEnvironment(home, { TERM: 'xterm-256color' })).filter(([, value]) => value !== undefined),
  ) as Record<string, string>; // what is undefined would become the text "undefined"
  const pty: IPty = spawn(process.execPath, [join(productRoot, 'out', 'cli.js'), ...args], { cwd: project, env });
  let told = '';
  let seen = 0;
  let code: number | undefined;
  pty.onData((data) => {
    told += data.replace(escapes, '');
  });
  pty.onExit(({ exitCode }) => {
    code = exitCode;
  });
  ended.push(() => {
    if (code === undefined) pty.kill('SIGKILL');
  });
  return {
    text: () => told,
    type: (text) => pty.write(text),
    async see(text) {
      await until(`"${text}" on the terminal`, () => told.indexOf(text, seen) >= 0, {
        limitMs: 60_000,
        report: () => told.slice(seen),
      });
      seen = told.indexOf(text, seen) + text.length;
    },
    code: () => code,
  };
}

const edit = { calls: [{ tool: 'edit_file', input: { filePath: 'a.txt', oldStr: 'old', newStr: 'new' } }] };
const ask = { calls: [{ tool: 'ask_user', input: { question: 'Which colour?' } }] };

test.describe('vise chat on a terminal', () => {
  const ended: (() => void)[] = [];
  test.afterEach(() => {
    for (const end of ended.splice(0)) end();
  });

  test('asks, hears what is typed meanwhile, and ends with its input', async ({ home, makeProject }) => {
    const project = makeProject({ 'a.txt': 'old words\n' });
    const replies = [edit, ask, { text: 'Painted as said.' }];
    const chat = chatOn(home, project, replies, ended);
    await chat.see('/help lists the commands');
    await chat.see('> ');
    chat.type('Change it.\r');
    await chat.see('+new words');
    await chat.see('n no, ? ');
    chat.type('y\r');
    await chat.see('Which colour?');
    await chat.see('> ');
    expect(readTree(project)).toMatchObject({ 'a.txt': 'new words\n' });
    chat.type('blue\r');
    await chat.see('Painted as said.');
    await chat.see('> ');
    chat.type('/session\r');
    await chat.see('1 turn');
    await chat.see('> ');
    chat.type('\u0004');
    await until('the end of vise chat', () => chat.code() !== undefined, { limitMs: 60_000, report: chat.text });
    expect(chat.code()).toBe(0);
  });

  test('takes words while a turn runs, keeps commands for its end, and stops at once at Ctrl-C', async ({
    home,
    makeProject,
  }) => {
    const project = makeProject({ 'a.txt': 'old words\n' });
    const run = (command: string) => ({ calls: [{ tool: 'run', input: { command } }] });
    const replies = [run('while [ ! -e go ]; do sleep 0.05; done'), { text: 'Heard you.' }, run('sleep 600')];
    const chat = chatOn(home, project, replies, ended, 'dangerous');
    await chat.see('> ');
    chat.type('Read it.\r');
    await chat.see('while [ ! -e go ]'); // the command runs, and with it the turn
    chat.type('And be quick!\r');
    await chat.see('it joins at the next step');
    chat.type('/session\r');
    await chat.see('when the turn has ended');
    writeFileSync(join(project, 'go'), '');
    await chat.see('Heard you.');
    await chat.see('1 turn'); // the words joined the turn, and the command was run behind it
    await chat.see('> ');
    chat.type('Now wait.\r');
    await chat.see('sleep 600');
    chat.type('\u0003');
    await chat.see('cancelled');
    await chat.see('> ');
    chat.type('/exit\r');
    await until('the end of vise chat', () => chat.code() !== undefined, { limitMs: 60_000, report: chat.text });
    expect({ code: chat.code(), left: findLeftovers(0, home) }).toEqual({ code: 0, left: [] });
  });
});
