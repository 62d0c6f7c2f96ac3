import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callsOf } from '../../../shared/model/reduce.ts';
import { findingLine, type Rehearsal, rehearsalLine } from '../../../shared/model/rehearsal.ts';
import { defaultSettings } from '../../../shared/model/settings.ts';
import { shadowWay } from '../exec/sandbox/shadow.ts';
import { type TestBench, type TestSession, testBench } from '../testing/engineForTest.ts';
import { scriptedServer } from '../testing/scriptedServer.ts';
import { treeOf } from '../workspace/testing/testFolder.ts';

/** A type check in small: every line that says BAD is an error, in the form of tsc. It leaves files, as checks do. */
const checker = `
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
let errors = 0;
for (const name of readdirSync('src')) {
  readFileSync('src/' + name, 'utf8').split('\\n').forEach((line, index) => {
    if (!line.includes('BAD')) return;
    errors += 1;
    console.log('src/' + name + '(' + (index + 1) + ',1): error TS2322: ' + line.trim() + ' is wrong.');
  });
}
mkdirSync('made', { recursive: true });
writeFileSync('made/by-check', String(errors));
writeFileSync('src/touched', 'by the check');
process.exit(errors > 0 ? 2 : 0);
`;

/** Without a sandbox nothing holds a command to the copy, and each run is the person's. */
const isBare = shadowWay() === 'bare';

const check = 'node check.mjs';
const places = [5, 15, 25, 35, 45, 55, 65];

/** Seventy lines of which these are changed, to what is given for them. */
const textOf = (changed: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 70 }, (_, at) => `${changed[at] ?? `const v${at} = 0;`}\n`).join('');

/** Seven hunks; the fourth breaks the check. */
const sevenHunks = textOf(Object.fromEntries(places.map((at) => [at, at === 35 ? 'BAD' : `const v${at} = 1;`])));

async function trial(
  files: Readonly<Record<string, string>> = {},
  checks: readonly string[] = [check],
): Promise<TestBench> {
  const bench = testBench({ 'check.mjs': checker, 'src/a.ts': textOf(), ...files });
  const settings = { ...defaultSettings, rehearsal: { checks, maxSeconds: 60 } };
  await bench.client.call('settings.set', { settings });
  return bench;
}

async function trust({ client, project }: TestBench): Promise<void> {
  await client.call('project.open', { path: project });
  const risks = await client.call('project.risks', { path: project });
  if (!risks.ok) throw new Error(risks.error.message);
  await client.call('project.trust', { path: project, trust: 'trusted', hash: risks.value.hash });
}

const write = (content: string, filePath = 'src/a.ts') => ({
  calls: [{ tool: 'write_file', input: { filePath, content } }],
});

/** The next rehearsal that is no longer running. */
async function settled(session: TestSession): Promise<Rehearsal | null> {
  for (;;) {
    const { rehearsal } = await session.next('change.rehearsed');
    if (rehearsal?.state !== 'running') return rehearsal;
  }
}

async function asked(session: TestSession): Promise<string> {
  await session.send('go');
  await session.next('permission.asked');
  return session.waiting()[0]?.id ?? '';
}

/** What the model read of the call. */
const warningsOf = (session: TestSession): readonly string[] =>
  [...callsOf(session.mirror())].flatMap(({ result }) => result?.warnings ?? []);

test('one of seven hunks that breaks the types is named before anything is on the disk, and left out turns the checks green', async () => {
  const bench = await trial({ 'src/b.ts': 'BAD since ever\n', '.gitignore': 'made\n' });
  const session = await bench.session([write(sevenHunks), { text: 'done' }]);
  const before = treeOf(bench.project);
  const call = await asked(session);
  expect(await settled(session)).toEqual({
    state: 'asks',
    checks: [{ name: check, command: check, state: 'asks', errors: 0, warnings: 0 }],
    findings: [],
  });
  await bench.client.call('change.rehearse', { session: session.id, allow: 'session' });
  const broken = await settled(session);
  expect(broken).toEqual({
    state: 'done',
    checks: [{ name: check, command: check, state: 'red', errors: 1, warnings: 0 }],
    findings: [
      {
        check,
        severity: 'error',
        message: 'BAD is wrong.',
        file: 'src/a.ts',
        line: 36,
        rule: 'TS2322',
        place: { call, path: 'src/a.ts', hunk: 3 },
      },
    ],
  });
  expect(broken && rehearsalLine(broken)).toBe('1 check: 1 new error in src/a.ts');
  const verdicts = [{ path: 'src/a.ts', keep: [0, 1, 2, 4, 5, 6] }];
  await bench.client.call('change.rehearse', { session: session.id, judged: [{ call, verdicts }] });
  expect(await settled(session)).toEqual({
    state: 'done',
    // It fails as before, because of another file.
    checks: [{ name: check, command: check, state: 'old', errors: 0, warnings: 0 }],
    findings: [],
  });
  expect(treeOf(bench.project)).toEqual(before);
  await bench.client.call('permission.answer', { session: session.id, call, decision: 'once', verdicts });
  await session.next('turn.finished');
  expect(warningsOf(session)).toEqual([
    'Tried before it was written: 1 check: 1 failing as before',
    'Broke when it was tried, hunk 4: node check.mjs: src/a.ts:36: BAD is wrong. (TS2322)',
  ]);
  expect(bench.file('src/a.ts')).toBe(sevenHunks.replace('BAD', 'const v35 = 0;'));
  expect(session.mirror().rehearsal).toBeNull();
  expect(readdirSync(join(bench.home, 'state', 'rehearsals'))).toEqual([]);
});

test.skipIf(isBare)(
  'J1: a check that a rule allows runs by itself in a trusted folder, and waits for the person in any other',
  async () => {
    const bench = await trial();
    const first = await bench.session([write(sevenHunks)]);
    await asked(first);
    await settled(first);
    await bench.client.call('change.rehearse', { session: first.id, allow: 'always' });
    expect((await settled(first))?.state).toBe('done');
    const strange = await bench.session([write(sevenHunks)]);
    await asked(strange);
    expect((await settled(strange))?.state).toBe('asks');
    await trust(bench);
    const trusted = await bench.session([write(sevenHunks)]);
    await asked(trusted);
    expect((await settled(trusted))?.checks).toEqual([
      { name: check, command: check, state: 'red', errors: 1, warnings: 0 },
    ]);
  },
);

test('a check that a rule denies is not run, whatever the person allows', async () => {
  const bench = await trial();
  const rules = join(bench.ports.places.config, 'rules.json');
  writeFileSync(rules, JSON.stringify({ rules: [{ effect: 'deny', match: { command: ['node', 'check.mjs'] } }] }));
  const session = await bench.session([write(sevenHunks)]);
  await asked(session);
  expect(await settled(session)).toMatchObject({ checks: [{ state: 'denied', why: expect.stringContaining('node') }] });
  await bench.client.call('change.rehearse', { session: session.id, allow: 'session' });
  expect(session.mirror().rehearsal).toMatchObject({ checks: [{ state: 'denied' }] });
  expect(session.mirror().tasks).toEqual({});
});

test('a new judgement ends the run that it makes stale, and its task leaves the console', async () => {
  const slow = `import { setTimeout } from 'node:timers/promises';
    import { readFileSync } from 'node:fs';
    if (readFileSync('src/a.ts', 'utf8').includes('BAD')) await setTimeout(600_000);`;
  const bench = await trial({ 'check.mjs': slow });
  const session = await bench.session([write(sevenHunks)]);
  const call = await asked(session);
  await settled(session);
  await bench.client.call('change.rehearse', { session: session.id, allow: 'session' });
  const { task } = await session.next('task.started');
  const verdicts = [{ path: 'src/a.ts', keep: [0] }];
  await bench.client.call('change.rehearse', { session: session.id, judged: [{ call, verdicts }] });
  expect((await session.next('task.ended')).task).toMatchObject({ id: task.id, state: 'cancelled' });
  expect(await settled(session)).toMatchObject({ state: 'done', checks: [{ state: 'green' }] });
  expect(Object.values(session.mirror().tasks).map(({ state, title }) => [state, title])).toEqual([
    ['completed', `Rehearsal: ${check}`],
  ]);
});

test('stopping the turn ends the rehearsal and leaves no copy', async () => {
  const bench = await trial({ 'check.mjs': 'setTimeout(() => {}, 600_000);' });
  const session = await bench.session([write(sevenHunks)]);
  await asked(session);
  await settled(session);
  await bench.client.call('change.rehearse', { session: session.id, allow: 'session' });
  await session.next('task.started');
  await bench.client.call('session.stop', { session: session.id });
  expect((await session.next('task.ended')).task.state).toBe('cancelled');
  expect(session.mirror().rehearsal).toBeNull();
  await expect.poll(() => readdirSync(join(bench.home, 'state', 'rehearsals'))).toEqual([]);
});

test('a check that hangs is ended at its limit, and one that says nothing is told by its end', async () => {
  const bench = await trial({ 'check.mjs': 'setTimeout(() => {}, 600_000);' }, []);
  const checks = [check, 'node -e "process.exit(3)"', 'no-such-program'];
  await bench.client.call('settings.set', { settings: { ...defaultSettings, rehearsal: { checks, maxSeconds: 1 } } });
  const session = await bench.session([write(sevenHunks)]);
  await asked(session);
  await settled(session);
  await bench.client.call('change.rehearse', { session: session.id, allow: 'session' });
  const told = await settled(session);
  expect(told?.checks).toEqual([
    { name: check, command: check, state: 'failed', why: 'It was ended after 1 seconds.', errors: 0, warnings: 0 },
    { name: 'node -e', command: checks[1], state: 'old', errors: 0, warnings: 0 },
    { name: 'no-such-program', command: checks[2], state: 'failed', why: expect.any(String), errors: 0, warnings: 0 },
  ]);
  expect(told && rehearsalLine(told)).toBe('3 checks: 1 failing as before, 2 without an end');
});

test.skipIf(isBare)('C9: a check that reaches for the project itself changes nothing of it', async () => {
  const grasping = `import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
    for (const act of [
      () => writeFileSync('.git/hooks/pre-commit', 'x'),
      () => appendFileSync('node_modules/dep/index.js', 'x'),
      () => rmSync('node_modules/dep', { recursive: true }),
      () => writeFileSync('/run/vise-project/node_modules/dep/index.js', 'x'),
      () => writeFileSync(process.cwd() + '/src/a.ts', 'x'),
      () => rmSync('large', { recursive: true }),
    ]) try { act(); } catch {}`;
  const large = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`large/${at}`, '']));
  const bench = await trial({
    'check.mjs': grasping,
    'node_modules/dep/index.js': 'dep',
    '.git/hooks/other': '',
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.gitignore': 'large\n',
    ...large,
  });
  const before = treeOf(bench.project);
  const session = await bench.session([write(sevenHunks)]);
  await asked(session);
  await settled(session);
  await bench.client.call('change.rehearse', { session: session.id, allow: 'session' });
  expect(await settled(session)).toMatchObject({ state: 'done' });
  expect(treeOf(bench.project)).toEqual(before);
});

test('edits that lie on each other are tried together, and each finding stands at the hunk of its own call', async () => {
  const bench = await trial();
  const first = { filePath: 'src/a.ts', oldStr: 'const v5 = 0;', newStr: 'const v5 = 1;\nconst more = 1;' };
  const second = { filePath: 'src/a.ts', oldStr: 'const v15 = 0;', newStr: 'BAD' };
  const session = await bench.session([
    {
      calls: [
        { tool: 'edit_file', input: first },
        { tool: 'edit_file', input: second },
      ],
    },
  ]);
  await asked(session);
  await session.next('permission.asked');
  await settled(session);
  await bench.client.call('change.rehearse', { session: session.id, allow: 'session' });
  const told = await settled(session);
  const [, call] = session.waiting();
  expect(told?.findings).toMatchObject([{ line: 17, place: { call: call?.id, path: 'src/a.ts', hunk: 0 } }]);
  expect(told?.findings.map(findingLine)).toEqual([`${check}: src/a.ts:17: BAD is wrong. (TS2322)`]);
});

test('what a language server newly says of a change stands at its hunk, and one that crashes leaves the rest', async () => {
  const server = 'node_modules/.bin/pyright-langserver';
  const bench = await trial(
    { [server]: `#!/usr/bin/env node\n${scriptedServer}`, 'a.py': 'BAD since ever\nx\n', 'check.mjs': '' },
    ['diagnostics', check],
  );
  chmodSync(join(bench.project, server), 0o755);
  const session = await bench.session([write('BAD since ever\nx\nBAD\n', 'a.py'), write('CRASH\n', 'a.py')]);
  const before = treeOf(bench.project);
  const call = await asked(session);
  await settled(session);
  await bench.client.call('change.rehearse', { session: session.id, allow: 'session' });
  const asServer = { name: 'diagnostics', command: `${server} --stdio`, isServer: true };
  const green = { name: check, command: check, state: 'green', errors: 0, warnings: 0 };
  expect(await settled(session)).toEqual({
    state: 'done',
    checks: [{ ...asServer, state: 'red', errors: 1, warnings: 0 }, green],
    findings: [
      {
        check: 'diagnostics',
        severity: 'error',
        message: 'BAD is wrong.',
        file: 'a.py',
        line: 3,
        rule: 'bad',
        place: { call, path: 'a.py', hunk: 0 },
      },
    ],
  });
  expect(treeOf(bench.project)).toEqual(before);
  await bench.client.call('permission.answer', { session: session.id, call, decision: 'deny' });
  await session.next('permission.asked');
  await settled(session);
  // Where nothing holds a command, each run is allowed anew.
  if (isBare) await bench.client.call('change.rehearse', { session: session.id, allow: 'session' });
  const crashed =
    session.mirror().rehearsal?.state === 'done' && !isBare ? session.mirror().rehearsal : await settled(session);
  const why = 'The language server ended (code 3): out of cheese';
  expect(crashed).toEqual({
    state: 'done',
    checks: [{ ...asServer, state: 'failed', why, errors: 0, warnings: 0 }, green],
    findings: [],
  });
});
