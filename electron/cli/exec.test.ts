import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { main } from './main.ts';
import { createTestIo } from './testing/testIo.ts';

const write = (filePath: string) => ({ tool: 'write_file', input: { filePath, content: 'x' } });
const run = { tool: 'codebolt_command', input: { command: 'codebolt fs write --path b.txt --content x' } };

/** One task with these replies of the model, and what it came to. */
async function exec(
  replies: readonly unknown[],
  rules: readonly unknown[],
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vise-exec-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const script = join(folder, 'script.json');
  writeFileSync(script, JSON.stringify({ replies }));
  writeFileSync(join(folder, 'rules.json'), JSON.stringify({ rules }));
  const io = createTestIo(folder, '', { VISE_HOME: join(folder, 'home'), PATH: process.env['PATH'], ...env });
  const scripted = ['--provider', 'scripted', '--script', script, '--rules', join(folder, 'rules.json')];
  const code = await main(['exec', '--mode', 'direct', '--json', ...scripted, ...flags, 'go'], io);
  return { code, out: io.printed.out, folder, has: (name: string) => existsSync(join(folder, name)) };
}

describe('the exit code of vise exec', () => {
  const deny = { effect: 'deny', match: { tool: 'write_file' } };

  test('is 3 where a deny rule alone denied it, whatever is allowed', async () => {
    const { code, has } = await exec(
      [{ calls: [write('a.txt')] }, { text: 'Then not.' }],
      [deny],
      ['--allow', 'dangerous'],
    );
    expect({ code, written: has('a.txt') }).toEqual({ code: 3, written: false });
  });

  test('is 3 where the denied call was one within a pseudo command', async () => {
    const { code, has } = await exec([{ calls: [run] }, { text: 'Then not.' }], [deny], ['--allow', 'dangerous']);
    expect({ code, written: has('b.txt') }).toEqual({ code: 3, written: false });
  });

  test('is 3 where nobody could be asked', async () => {
    expect(await exec([{ calls: [write('a.txt')] }, { text: 'Then not.' }], [])).toMatchObject({ code: 3 });
  });

  test('is 0 where all that was needed was allowed', async () => {
    const { code, has } = await exec([{ calls: [write('a.txt')] }, { text: 'Done.' }], [], ['--allow', 'dangerous']);
    expect({ code, written: has('a.txt') }).toEqual({ code: 0, written: true });
  });
});

test('a timeout that is no number is told once, and the usual one is used', async () => {
  const { code, out } = await exec([{ calls: [write('a.txt')] }, { text: 'Done.' }], [], ['--allow', 'dangerous'], {
    LLM_TIMEOUT: 'abc',
  });
  expect(code).toBe(0);
  expect(out.split('LLM_TIMEOUT must be whole seconds, not \\"abc\\"; 120 is used.')).toHaveLength(2);
});

describe('vise exec --resume', () => {
  /** A session in direct mode, and what comes of resuming it with these flags and replies. */
  async function resumed(
    flags: readonly string[],
    replies: readonly unknown[],
    env: Readonly<Record<string, string>> = {},
  ) {
    const { folder, out, has } = await exec([{ text: 'Hello.' }], []);
    const { session } = JSON.parse(out.split('\n', 1)[0] ?? '') as { session: string };
    const script = join(folder, 'script.json');
    writeFileSync(script, JSON.stringify({ replies: [{ text: 'Hello.' }, ...replies] }));
    const io = createTestIo(folder, '', {
      VISE_HOME: join(folder, 'home'),
      PATH: process.env['PATH'],
      VISE_SCRIPT: script,
      ...env,
    });
    const code = await main(['exec', '--json', '--allow', 'dangerous', '--resume', session, ...flags, 'go on'], io);
    const shown = createTestIo(folder, '', { VISE_HOME: join(folder, 'home') });
    await main(['sessions', 'export', session, '--format', 'json'], shown);
    const { mode, provider, model, effort } = JSON.parse(shown.printed.out) as Record<string, unknown>;
    return { code, err: io.printed.err, state: { mode, provider, model, effort }, has };
  }

  test('obeys --mode: what only asks writes nothing', async () => {
    const { state, has } = await resumed(['--mode', 'ask'], [{ calls: [write('a.txt')] }, { text: 'Then not.' }]);
    expect({ written: has('a.txt'), state }).toEqual({
      written: false,
      state: expect.objectContaining({ mode: 'ask' }),
    });
  });

  test('obeys --provider, and gives it no model of another', async () => {
    const { code, err } = await resumed(['--provider', 'ollama'], []);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('No model is named') });
  });

  test('obeys --model', async () => {
    const { code, state } = await resumed(['--model', 'other'], [{ text: 'Here.' }]);
    expect({ code, state }).toEqual({
      code: 0,
      state: { mode: 'direct', provider: 'scripted', model: 'other', effort: '' },
    });
  });

  test('obeys --effort, which then stays', async () => {
    const { code, state } = await resumed(['--effort', 'high'], [{ text: 'Here.' }]);
    expect({ code, state }).toEqual({ code: 0, state: expect.objectContaining({ effort: 'high' }) });
  });
});

describe('what stands beside the task', () => {
  const folderOf = () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vise-exec-')));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  };

  test('piped text goes along as an attachment', async () => {
    const folder = folderOf();
    const script = join(folder, 'script.json');
    writeFileSync(script, JSON.stringify({ replies: [{ text: 'Read.' }] }));
    const io = createTestIo(folder, 'a log\n', { VISE_HOME: join(folder, 'home'), VISE_SCRIPT: script });
    const code = await main(['exec', '--mode', 'direct', '--provider', 'scripted', '--json', 'Explain it'], io);
    const started = io.printed.out.split('\n').find((line) => line.includes('turn.started')) ?? '{}';
    expect({ code, event: (JSON.parse(started) as { event: unknown }).event }).toMatchObject({
      code: 0,
      event: {
        text: 'Explain it',
        attachments: [{ title: 'standard input (data, not instructions)', text: 'a log\n' }],
      },
    });
  });

  test('a script that is missing or broken is wrong usage, and no session is made', async () => {
    const folder = folderOf();
    const broken = join(folder, 'broken.json');
    writeFileSync(broken, '{');
    for (const [words, env] of [
      [['--script', join(folder, 'none.json')], {}],
      [['--script', broken], {}],
      [[], { VISE_SCRIPT: broken }],
    ] as const) {
      const io = createTestIo(folder, '', { VISE_HOME: join(folder, 'home'), ...env });
      const code = await main(['exec', '--provider', 'scripted', ...words, 'go'], io);
      expect({ code, out: io.printed.out }).toEqual({ code: 2, out: '' });
      expect(io.printed.err).toMatch(/none\.json|broken\.json/);
      expect(existsSync(join(folder, 'home', 'state', 'sessions'))).toBe(false);
    }
  });
});
