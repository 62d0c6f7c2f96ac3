import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ServerReply, startModelServer } from '../../e2e/modelServer.ts';
import { messagesStream, responsesStream } from '../../e2e/providers/streams.ts';
import { testFolder } from './workspace/testing/testFolder.ts';

const root = join(import.meta.dirname, '..', '..');
const usage = { fresh: 9, cached: 0, written: 0, output: 1 };
const reply = { id: 'a', parts: [{ text: 'Hi.' }], usage };
const overResponses: ServerReply = { raw: responsesStream(reply) };

/** The command line, and how its parts are named in it: as its sources, and as the built command that is packed. */
const programs = {
  sources: {
    file: join(root, 'electron', 'cli.ts'),
    parts: {
      chat: /\/engine\/model\/chat\//,
      responses: /\/engine\/model\/responses\//,
      messages: /\/engine\/model\/messages\//,
      openai: /\/node_modules\/openai\//,
      anthropic: /\/node_modules\/@anthropic-ai\//,
      'calls in text': /\/engine\/model\/textProtocol\//,
      marked: /\/node_modules\/marked\//,
    },
  },
  'the built command': {
    file: join(root, 'out', 'cli.js'),
    parts: {
      chat: /\/chatDialect-/,
      responses: /\/responsesDialect-/,
      messages: /\/messagesDialect-/,
      openai: /\/openAiPackage-|\/node_modules\/openai\//,
      anthropic: /\/node_modules\/@anthropic-ai\//,
      'calls in text': /\/textMode-/,
      marked: /\/marked/,
    },
  },
} as const;

/** What a start of the command line has loaded, in its order. */
async function loadedFiles(
  file: string,
  words: readonly string[],
  replies: readonly ServerReply[] = [],
  environment: (server: URL) => Readonly<Record<string, string>> = () => ({}),
): Promise<readonly string[]> {
  const folder = testFolder();
  const server = await startModelServer({ replies });
  onTestFinished(() => server.close());
  mkdirSync(join(folder, 'project'));
  const list = join(folder, 'loaded.txt');
  // Packages that ES modules import, and those that CommonJS asks for.
  writeFileSync(
    join(folder, 'hook.mjs'),
    `import { registerHooks } from 'node:module';
import { appendFileSync } from 'node:fs';
registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(list)}, url + '\\n'); return next(url, context); } });`,
  );
  const env = {
    PATH: process.env['PATH'],
    VISE_HOME: join(folder, 'home'),
    LLM_BASE_URL: server.url,
    LLM_MODEL: 'm',
    LLM_API_KEY: 'k-1234567',
    ...environment(new URL(server.url)),
  };
  const start = ['--import', join(folder, 'hook.mjs'), file];
  const child = spawn(process.execPath, [...start, ...words], { env, cwd: join(folder, 'project'), stdio: 'ignore' });
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(server.requests.length).toBe(replies.length);
  return readFileSync(list, 'utf8').split('\n');
}

type Given = Parameters<typeof loadedFiles> extends [unknown, ...infer Rest] ? Rest : never;

/** What of the dialects and of their makers' packages a start has loaded. */
async function loadedBy(program: keyof typeof programs, ...given: Given): Promise<readonly string[]> {
  const { file, parts } = programs[program];
  const urls = await loadedFiles(file, ...given);
  return Object.entries(parts).flatMap(([name, part]) => (urls.some((url) => part.test(url)) ? [name] : []));
}

describe.each(Object.keys(programs) as (keyof typeof programs)[])('%s', (program) => {
  test.each<[string, readonly string[], Given]>([
    ['that asks no model', [], [['tools']]],
    ['that shows the configuration', [], [['config', '--show', '--resolved']]],
    ['over chat completions', ['chat'], [['exec', '--mode', 'ask', 'Hi'], [{ text: 'Hi.' }]]],
    [
      'over Responses of another server',
      ['responses'],
      [['exec', '--mode', 'ask', 'Hi'], [overResponses], () => ({ LLM_DIALECT: 'responses' })],
    ],
    [
      'over Messages',
      ['messages'],
      [['exec', '--mode', 'ask', 'Hi'], [{ raw: messagesStream(reply) }], () => ({ LLM_DIALECT: 'messages' })],
    ],
    [
      "over OpenAI's own address",
      ['responses', 'openai'],
      [
        ['exec', '--mode', 'ask', 'Hi'],
        [overResponses],
        ({ origin }) => ({
          LLM_BASE_URL: 'http://api.openai.com/v1',
          HTTP_PROXY: origin,
          LLM_DIALECT: 'responses',
        }),
      ],
    ],
  ])('a start %s loads of dialects and packages: %j', { timeout: 60_000 }, async (_what, expected, given) => {
    expect(await loadedBy(program, ...given)).toEqual(expected);
  });
});

// Each file more costs a start about a millisecond: what a first request needs lies together.
test('a task takes few files of the built command', { timeout: 60_000 }, async () => {
  const { file } = programs['the built command'];
  const urls = await loadedFiles(file, ['exec', '--mode', 'ask', 'Hi'], [{ text: 'Hi.' }]);
  const chunks = urls.flatMap((url) => /\/host\/(\w+)-[\w-]{8}\.js$/.exec(url)?.[1] ?? []);
  expect(chunks.slice(0, 5)).toEqual(['start', 'exec', 'work', 'loadSpecTools', 'chatDialect']);
});

// V8 takes compiled code only under the flags it was made with: a flag set at the door of one command takes it from the others.
test('every command takes the same code that was compiled ahead', { timeout: 60_000 }, () => {
  const folder = testFolder();
  const out = join(root, 'out');
  const file = join(folder, 'cli.js');
  copyFileSync(join(out, 'cli.js'), file);
  symlinkSync(join(out, 'host'), join(folder, 'host'), 'junction');
  const env = { PATH: process.env['PATH'], VISE_HOME: join(folder, 'home') };
  const codes = [['tools'], ['exec', '']].map((words) => spawnSync(process.execPath, [file, ...words], { env }).status);
  expect(codes).toEqual([0, 2]);
  expect(readdirSync(join(env.VISE_HOME, 'cache', 'compiled'))).toHaveLength(1);
});

test('what the build compiled counts where the program is moved to', { timeout: 60_000 }, () => {
  const folder = testFolder();
  const out = join(root, 'out');
  copyFileSync(join(out, 'cli.js'), join(folder, 'cli.js'));
  cpSync(join(out, 'host'), join(folder, 'host'), { recursive: true, filter: (path) => !path.endsWith('.map') });
  cpSync(join(out, 'compiled'), join(folder, 'compiled'), { recursive: true });
  const compiled = (): readonly string[] =>
    readdirSync(join(folder, 'compiled'), { recursive: true }).map(String).toSorted();
  const before = compiled();
  const env = { PATH: process.env['PATH'], VISE_HOME: join(folder, 'home') };
  expect(spawnSync(process.execPath, [join(folder, 'cli.js'), 'exec', ''], { env }).status).toBe(2);
  expect(compiled()).toEqual(before);
});
