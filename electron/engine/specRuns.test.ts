import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { callsOf } from '../../shared/model/reduce.ts';
import { isRunning } from './base/processMark.ts';
import { sampleCommand, sampleSpec } from './bridge/cliSpec/testing/sampleSpec.ts';
import { type TestBench, testBench } from './testing/engineForTest.ts';

const output = { format: 'text' } as const;
const arg = { name: 'what', description: 'What to do', required: true, type: 'string' } as const;
const input = { name: 'text', description: 'What it reads', required: true, type: 'string' } as const;
const spec = sampleSpec({
  name: 'doit',
  binary: 'doit',
  commands: [
    sampleCommand({ name: 'run', args: [arg], output, timeoutMs: 300_000 }),
    sampleCommand({ name: 'short', args: [arg], output, timeoutMs: 1_000, env: { MODE: 'from spec' } }),
    sampleCommand({ name: 'read', args: [input], stdin: 'text', output }),
  ],
});

/** A project with a program whose last word is a shell script, and its spec among the user's own. */
function bench(): TestBench {
  const bin = realpathSync(mkdtempSync(join(tmpdir(), 'vise-bin-')));
  onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
  const script =
    '#!/bin/sh\n[ "$1" = --version ] && { echo doit 1.0.0; exit; }\n[ "$1" = read ] && exec cat\n[ "$1" = short ] && shift\nexec sh -c "$1"\n';
  writeFileSync(join(bin, 'doit'), script);
  chmodSync(join(bin, 'doit'), 0o755);
  const made = testBench({}, { resources: join(bin, 'none'), allow: 'moderate' });
  const folder = join(made.ports.places.specs, 'doit');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '1.0.0.json'), JSON.stringify({ ...spec, binary: join(bin, 'doit') }));
  return made;
}

const call = ({ engine, project }: TestBench, tool: string, given: object, signal = new AbortController().signal) =>
  engine.callTool(project, tool, given, signal);

describe.skipIf(process.platform === 'win32')('programs of specs (POSIX only: the program is an sh script)', () => {
  test('run as tasks of the session, with their words, exit code and output', async () => {
    const made = bench();
    const script = 'echo out; echo err >&2; pwd; exit 3';
    const session = await made.session([{ calls: [{ tool: 'doit_run', input: { what: script } }] }, { text: 'Done.' }]);
    await session.say('do it');
    const { tasks } = session.mirror();
    expect(Object.values(tasks)).toMatchObject([
      {
        mode: 'direct',
        state: 'completed',
        exitCode: 3,
        cwd: made.project,
        argv: [expect.stringMatching(/doit$/), script],
      },
    ]);
    const [done] = callsOf(session.mirror());
    expect(done?.result).toMatchObject({
      success: false,
      error: { details: { blocks: [`out\n${made.project}\n`, '[exit code: 3]\nerr\n'], exitCode: 3 } },
    });
  });

  test('that write nothing, and much, are read whole', async () => {
    const made = bench();
    expect(await call(made, 'doit_run', { what: 'true' })).toMatchObject({ success: true, data: { output: '' } });
    const many = await call(made, 'doit_run', {
      what: 'i=0; while [ $i -lt 20000 ]; do echo 0123456789; i=$((i+1)); done',
    });
    expect(many.success && (many.data as { output: string }).output.length).toBeGreaterThan(200_000);
  });

  test('have the environment of the spec, no terminal and no input', async () => {
    const made = bench();
    const what = 'echo "$MODE"; [ -t 1 ] || echo plain; cat; echo end';
    expect(await call(made, 'doit_short', { what })).toMatchObject({
      success: true,
      data: { output: 'from spec\nplain\nend\n' },
    });
  });

  test('get the text that their spec gives them to read', async () => {
    const made = bench();
    expect(await call(made, 'doit_read', { text: 'hello' })).toMatchObject({
      success: true,
      data: { output: 'hello' },
    });
  });

  test('that read are tasks like the others, and get all of their input, however long it is', async () => {
    const made = bench();
    const text = `${'Grüße 🌍\n'.repeat(20_000)}end`;
    const session = await made.session([{ calls: [{ tool: 'doit_read', input: { text } }] }, { text: 'Done.' }]);
    await session.say('read it');
    const [task] = Object.values(session.mirror().tasks);
    expect(task).toMatchObject({ state: 'completed', exitCode: 0, argv: [expect.stringMatching(/doit$/), 'read'] });
    expect(JSON.stringify(task)).not.toContain('Grüße'); // it stands in the call alone
    const result = await call(made, 'doit_read', { text });
    expect(result.success && (result.data as { output: string }).output).toBe(text);
  });

  test('end at their time with all that they started', async () => {
    const made = bench();
    const pids = join(made.project, 'pids');
    const result = await call(made, 'doit_short', { what: `sleep 300 & echo $! >> '${pids}'; echo begun; sleep 300` });
    expect(result).toMatchObject({
      success: false,
      error: { code: 'TIMEOUT', details: { blocks: ['begun\n', '[timed out after 1000 ms]'] } },
    });
    const pid = Number(readFileSync(pids, 'utf8'));
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test('end when their call is stopped', async () => {
    const made = bench();
    const begun = join(made.project, 'begun');
    const stop = new AbortController();
    const heard = Promise.withResolvers<void>();
    const result = made.engine.callTool(
      made.project,
      'doit_run',
      { what: `echo begun; sleep 300; touch '${begun}'` },
      stop.signal,
      { onEvent: ({ type }) => void (type === 'tool.output' && heard.resolve()) },
    );
    await heard.promise;
    stop.abort();
    expect(await result).toMatchObject({ success: false });
    expect(existsSync(begun)).toBe(false);
  });

  test('that flood are ended, and what they wrote first is kept', { timeout: 120_000 }, async () => {
    const made = bench();
    const result = await call(made, 'doit_run', { what: 'yes 0123456789' });
    expect(result).toMatchObject({
      success: false,
      error: { details: { blocks: [expect.stringMatching(/^0123456789\n/), '[output limit 10 MB exceeded]'] } },
    });
  });

  test('that end by themselves a byte over the limit are told as such, and a byte below are not', {
    timeout: 120_000,
  }, async () => {
    const made = bench();
    const mebi = 1024 * 1024;
    const blocks = async (bytes: number): Promise<unknown> => {
      const result = await call(made, 'doit_run', { what: `head -c ${bytes} /dev/zero | tr '\\0' x` });
      return result.success ? 'fine' : (result.error.details as { blocks: readonly string[] }).blocks[1];
    };
    expect(await blocks(10 * mebi - 1)).toBe('fine');
    expect(await blocks(10 * mebi + 1)).toBe('[output limit 10 MB exceeded]');
  });
});
