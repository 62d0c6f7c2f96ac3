import { utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { type Build, buildFindingLine, buildLine } from '../../../shared/model/build.ts';
import { defaultSettings } from '../../../shared/model/settings.ts';
import { type ScriptReply, type TestBench, type TestSession, testBench } from '../testing/engineForTest.ts';

const modules = resolve(import.meta.dirname, '..', '..', '..', 'node_modules');
const typescript = join(modules, 'typescript', 'bin', 'tsc');

const linesOf = (changed: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 40 }, (_, at) => `${changed[at] ?? `export const v${at}: number = ${at};`}\n`).join('');

const start = (command: string): ScriptReply => ({ calls: [{ tool: 'start_background_task', input: { command } }] });
const write = (filePath: string, content: string): ScriptReply => ({
  calls: [{ tool: 'write_file', input: { filePath, content } }],
});

/** A session that writes and runs without a question. */
async function sessionOf(bench: TestBench, replies: readonly ScriptReply[]): Promise<TestSession> {
  const session = await bench.session(replies);
  await bench.client.call('session.configure', { session: session.id, appliesEdits: true, allow: 'dangerous' });
  return session;
}

/** The next build of a task that is in this state. */
async function build(session: TestSession, state: Build['state']): Promise<Build> {
  for (;;) {
    const { build: next } = await session.next('build.changed');
    if (next.state === state) return next;
  }
}

/** A watcher may miss a file that is written while it looks at what happened before: it is touched until the build is so. */
async function buildOfTouched(bench: TestBench, session: TestSession, state: Build['state']): Promise<Build> {
  const touch = (): void => utimesSync(join(bench.project, 'server.mjs'), new Date(), new Date());
  const touching = setInterval(touch, 2_500);
  return build(session, state).finally(() => clearInterval(touching));
}

/** What a build says of each error: where it is, and the hunk or the change set that it comes from. */
const told = ({ findings }: Build) =>
  findings.map(({ file, line, written, since }) => ({ file, line, written, since }));

test('a hunk that breaks tsc --watch is named at the next output, also after the person has moved it, and gone when it is mended', async () => {
  const bench = testBench(
    {
      'tsconfig.json': JSON.stringify({ compilerOptions: { noEmit: true, strict: true, types: [] }, include: ['src'] }),
      'src/a.ts': linesOf(),
      'src/b.ts': "import { v0 } from './a.ts';\nexport const twice: number = v0 * 2;\n",
    },
    { allow: 'dangerous' },
  );
  const bad = linesOf({ 5: 'export const v5: number = 55;', 25: "export const v25: number = 'no';" });
  const session = await sessionOf(bench, [
    start(`${process.execPath} ${typescript} --watch -p . --allowImportingTsExtensions`),
    { text: 'It runs.' },
    write('src/a.ts', bad),
    { text: 'Done.' },
    write(
      'src/a.ts',
      bad.replace('export const v0: number = 0;', "export const v0: string = '0';").replace("'no'", '1'),
    ),
    { text: 'Done.' },
  ]);
  await session.say('watch');
  expect(buildLine(await build(session, 'green'))).toBe('no errors');

  await session.say('break it');
  const broken = await build(session, 'red');
  const [set] = session.mirror().changeSets;
  const written = { changeSet: set?.id, path: 'src/a.ts', hunk: 1 };
  expect(told(broken)).toEqual([{ file: 'src/a.ts', line: 26, written, since: undefined }]);
  expect(broken.findings.map(buildFindingLine)[0]).toMatch(/src\/a\.ts:26: .*\(TS2322\), in hunk 2 of the change set/);
  expect(Object.values(session.mirror().builds)).toEqual([broken]);

  writeFileSync(join(bench.project, 'src/a.ts'), `// by hand\n// by hand\n${bad}`);
  expect(told(await build(session, 'red'))).toEqual([{ file: 'src/a.ts', line: 28, written, since: undefined }]);

  await session.say('mend it, and break what stands elsewhere');
  const elsewhere = await build(session, 'red');
  const last = session.mirror().changeSets.at(-1)?.id;
  expect(told(elsewhere)).toEqual([{ file: 'src/b.ts', line: 2, written: undefined, since: last }]);

  writeFileSync(join(bench.project, 'src/a.ts'), linesOf());
  expect(await build(session, 'green')).toMatchObject({ errors: 0, findings: [] });
}, 60_000);

test('a hunk that ends a dev server is named when the server says so, and green is told when it runs again', async () => {
  const server = (line: string): string => `import { createServer } from 'node:http';
const port = 0;
${line}
createServer((_request, response) => response.end('ok')).listen(port, '127.0.0.1', () => console.log('ready'));
`;
  const good = server('const name = "server";');
  const bench = testBench({ 'server.mjs': good }, { allow: 'dangerous' });
  const session = await sessionOf(bench, [
    start(`${process.execPath} --watch-path=. server.mjs`),
    { text: 'It runs.' },
    write('server.mjs', server('const name = nobody.knows;')),
    { text: 'Done.' },
    write('server.mjs', good),
    { text: 'Done.' },
  ]);
  await session.say('serve');
  // What is written before it watches, it does not see.
  while (Object.values(session.mirror().tasks).every(({ outputBytes }) => outputBytes === 0))
    await session.next('task.changed');
  await session.say('break it');
  const broken = await buildOfTouched(bench, session, 'red');
  const [set] = session.mirror().changeSets;
  expect(told(broken)).toEqual([
    { file: 'server.mjs', line: 3, written: { changeSet: set?.id, path: 'server.mjs', hunk: 0 }, since: undefined },
  ]);
  expect(broken.findings[0]?.message).toBe('ReferenceError: nobody is not defined');
  await session.say('mend it');
  expect(await buildOfTouched(bench, session, 'green')).toMatchObject({ findings: [] });
}, 60_000);

test('C11: what a build says of a file that a rule denies to read is not told', async () => {
  const rules = [{ effect: 'deny', match: { path: 'secret.ts' } }];
  const bench = testBench(
    { '.vise/rules.json': JSON.stringify({ version: 1, rules }), 'a.ts': 'x\n', 'secret.ts': 'x\n' },
    { allow: 'dangerous' },
  );
  const printed = 'secret.ts(1,1): error TS1: hidden\\na.ts(1,1): error TS1: shown\\n';
  const session = await sessionOf(bench, [
    start(
      `printf 'File change detected. Starting incremental compilation\\n${printed}Found 2 errors. Watching for file changes.\\n'; sleep 60`,
    ),
    { text: 'It runs.' },
  ]);
  await session.say('watch');
  expect((await build(session, 'red')).findings.map(({ file }) => file)).toEqual(['a.ts']);
}, 60_000);

test('a build that turns red wakes the agent by itself within its budget of requests, and no further', async () => {
  const bench = testBench({ 'server.mjs': 'setInterval(() => {}, 1000);\n' }, { allow: 'dangerous' });
  const settings = { ...defaultSettings, agent: { ...defaultSettings.agent, buildRequests: 2 } };
  await bench.client.call('settings.set', { settings });
  const broken = (name: string): ScriptReply => write('server.mjs', `throw new Error('${name}');\n`);
  const session = await sessionOf(bench, [
    start(`echo watched; ${process.execPath} --watch-path=. server.mjs`),
    broken('first'),
    { text: 'Done.' },
    broken('second'),
    broken('third'),
    broken('never asked for'),
  ]);
  await session.say('break it');
  await session.next('turn.started');
  await buildOfTouched(bench, session, 'red');
  const woken = await session.next('turn.started');
  expect(woken.text).toMatch(/^The build `echo watched; .*` is red: 1 error in server\.mjs\./);
  expect(woken.attachments).toMatchObject([{ kind: 'text', text: expect.stringContaining('Error: first') }]);
  while (session.mirror().turn !== null) await session.next('turn.finished');
  const ended = session.heard.findLast(({ event }) => event.type === 'turn.finished')?.event;
  expect(ended).toMatchObject({ outcome: 'blocked', error: { code: 'LIMIT_EXCEEDED' } });
  expect(bench.file('server.mjs')).toContain('third');
}, 60_000);
