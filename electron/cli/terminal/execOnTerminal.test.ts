import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bothWays, runOnTerminal, widths } from '../testing/ptyRun.ts';

const edit = { tool: 'edit_file', input: { filePath: 'a.txt', oldStr: 'old', newStr: 'new' } };
const run = (command: string) => ({ tool: 'run', input: { command } });

const report =
  'Both are **done**:\n\n- `a.txt` says what it should\n- the tests pass, all of them, the slow ones too, as they did on the machine of yesterday\n';

test.each(widths)('a task of edits and a long command reads well in %i columns', (columns) =>
  bothWays(columns, async (look, file) => {
    const terminal = runOnTerminal(['exec', '--mode', 'direct', '--allow', 'dangerous', 'Mend', 'it'], {
      ...look,
      replies: [
        { text: 'I look at the file first.', calls: [{ tool: 'read_file', input: { filePath: 'a.txt' } }] },
        { calls: [edit] },
        { calls: [run('echo one; echo two; while [ ! -e go ]; do sleep 0.05; done; exit 3')] },
        { text: report },
      ],
    });
    await terminal.see('│ two');
    await terminal.see(/\$ echo .* · .* s · Ctrl-C stops/);
    await expect(terminal.picture()).toMatchFileSnapshot(file('exec-running'));
    writeFileSync(join(terminal.project, 'go'), '');
    expect([await terminal.code(), terminal.faults()]).toEqual([0, []]);
    await expect(terminal.picture()).toMatchFileSnapshot(file('exec'));
  }),
);

test('while it waits for the model it says so, and an interrupt leaves the screen whole', async () => {
  const terminal = runOnTerminal(['exec', '--mode', 'direct', 'Wait'], {
    colours: true,
    replies: [{ text: 'Never.', delayMs: 60_000 }],
  });
  await terminal.see(/waiting for scripted · \d+(\.\d)? s · Ctrl-C stops/);
  terminal.type('\u0003');
  expect([await terminal.code(), terminal.faults()]).toEqual([130, []]);
  await expect(terminal.picture()).toMatchFileSnapshot('pictures/exec-interrupted.txt');
  expect(terminal.raw()).toMatch(/\u001B\[\?25h[^\u001B]*(?:\u001B\[\d*m[^\u001B]*)*$/);
});

test('NO_COLOR and --no-color leave colours out, --no-color without touching what commands see', async () => {
  const replies = [{ calls: [run('echo "[$NO_COLOR]" > seen')] }, { text: '**Bold**' }];
  const words = ['exec', '--mode', 'direct', '--allow', 'dangerous', '--no-color', 'go'];
  const terminal = runOnTerminal(words, { replies, colours: true });
  expect(await terminal.code()).toBe(0);
  expect(terminal.raw()).not.toMatch(/\u001B\[[\d;]*m/);
  expect(terminal.picture()).toContain('**Bold**');
});
