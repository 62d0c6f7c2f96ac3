import { expect, test } from 'vitest';
import { callsOf } from '../../../shared/model/reduce.ts';
import { testBench } from '../testing/engineForTest.ts';
import { treeOf } from '../workspace/testing/testFolder.ts';

const checker = `
import { readFileSync } from 'node:fs';
readFileSync('a.ts', 'utf8').split('\\n').forEach((line, index) => {
  if (line.includes('BAD')) console.log('a.ts(' + (index + 1) + ',1): error TS1: wrong.');
});`;

test('an agent tries edits before it proposes them, once the commands are allowed, and nothing is written', async () => {
  const bench = testBench({ 'check.mjs': checker, 'a.ts': 'one\ntwo\nBAD\n' });
  const before = treeOf(bench.project);
  const edits = [
    { filePath: 'a.ts', oldStr: 'two', newStr: 'BAD two' },
    { filePath: 'a.ts', oldStr: 'BAD two', newStr: 'BAD three' },
    { filePath: 'b.ts', newStr: 'new' },
  ];
  const input = { edits, checks: ['node check.mjs'] };
  const session = await bench.session([{ calls: [{ tool: 'rehearse', input }] }, { text: 'I see.' }]);
  await session.send('go');
  await session.next('permission.asked');
  const [call] = session.waiting();
  expect(call?.intent).toMatchObject({
    risk: 'dangerous',
    effects: ['executes'],
    summary: 'Try 3 edits with node check.mjs',
    preview: { kind: 'command', command: 'node check.mjs' },
  });
  await bench.client.call('permission.answer', { session: session.id, call: call?.id ?? '', decision: 'once' });
  await session.next('turn.finished');
  const [done] = callsOf(session.mirror());
  expect(done?.result).toEqual({
    success: true,
    data: {
      line: '1 check: 1 new error in a.ts',
      checks: [{ name: 'node check.mjs', command: 'node check.mjs', state: 'red', errors: 1, warnings: 0 }],
      findings: [{ check: 'node check.mjs', severity: 'error', message: 'wrong.', file: 'a.ts', line: 2, rule: 'TS1' }],
    },
  });
  expect(treeOf(bench.project)).toEqual(before);
});

test('an edit that does not fit is refused before anything is asked, and so is a project without checks', async () => {
  const bench = testBench({ 'a.ts': 'one' });
  const ask = (edits: readonly object[]) => ({ tool: 'rehearse', input: { edits } });
  const session = await bench.session([
    { calls: [ask([{ filePath: 'a.ts', oldStr: 'two', newStr: 'x' }]), ask([{ filePath: 'a.ts', newStr: 'x' }])] },
    { text: 'I see.' },
  ]);
  await session.say('go');
  const codes = [...callsOf(session.mirror())].map(({ result }) =>
    result?.success === false ? result.error.code : '',
  );
  expect(codes).toEqual(['STRING_NOT_FOUND', 'UNAVAILABLE']);
});
