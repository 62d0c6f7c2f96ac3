import { expect, test } from 'vitest';
import { inspectCommand } from './permission/inspectCommand.ts';
import { testBench } from './testing/engineForTest.ts';
import { protectedPath } from './workspace/protectedPath.ts';

/** Nothing of it is run: each is denied or forbidden; and nothing of it could harm if it were. */
const commands = [
  'ls -la',
  'git status',
  'git log --oneline | head -3',
  'cat a.txt && pwd',
  'echo "$(pwd)"',
  'echo a > b.txt',
  'touch b.txt',
  'git push origin main',
  'ls; touch b.txt',
  'find . -name x -delete',
  'echo $(touch b.txt)',
  'npm test',
  'FOO=1 ls',
  "sed -i 's/a/b/' a.txt",
  'echo x > .git/config',
];

const judged = commands.map((command) => inspectCommand(command, { protectedPath }));
const calls = commands.map((command) => ({ tool: 'run', input: { command } }));

test('what vise inspect calls read-only is what a session lets pass where it only reads', async () => {
  const bench = testBench({ 'a.txt': 'a\n' }, { interactive: false, allow: 'none' });
  const session = await bench.session([{ calls }, { text: 'done' }], 'ask');
  await session.say('Look.');
  const passed = session.heard.flatMap(({ event }) =>
    event.type === 'tool.finished' && !event.result.success ? [event.result.error.code !== 'PHASE_FORBIDDEN'] : [],
  );
  expect(commands.map((command, at) => [command, passed[at]])).toEqual(
    commands.map((command, at) => [command, judged[at]?.readOnly]),
  );
});

test('what vise inspect gives as reasons is what the person is asked with; what only reads says that it is asked too', async () => {
  const bench = testBench({ 'a.txt': 'a\n' });
  const session = await bench.session([{ calls }, { text: 'done' }]);
  await session.send('Do.');
  const reasons = new Map<string, readonly string[]>();
  for (const _ of commands) {
    const { call, approval } = await session.next('permission.asked');
    const target = session.waiting().find(({ id }) => id === call)?.intent?.targets[0];
    reasons.set(target?.kind === 'command' ? target.command : '', approval.reasons);
    await bench.client.call('permission.answer', { session: session.id, call, decision: 'deny' });
  }
  await session.next('turn.finished');
  const usual = 'dangerous tools are asked each time';
  expect(commands.map((command) => [command, reasons.get(command)])).toEqual(
    commands.map((command, at) => [command, judged[at]?.readOnly ? [usual] : judged[at]?.why]),
  );
  expect(judged.every(({ readOnly, verdict }) => verdict === (readOnly ? 'allow' : 'ask'))).toBe(true);
  expect(judged[0]?.why.at(-1)).toContain(usual);
});
