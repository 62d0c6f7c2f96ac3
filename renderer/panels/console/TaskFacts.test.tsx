import { expect, test } from 'vitest';
import type { Task } from '../../../shared/model/task.ts';
import { buttonsOf, markupOf, textOf } from '../../testing/markup.tsx';
import { taskOf } from '../../testing/sceneParts.ts';
import { TaskFacts } from './TaskFacts.tsx';

const drawn = (more: Partial<Task>): string =>
  markupOf(<TaskFacts task={taskOf('k1', 'npm run dev', more)} session="s" onFind={() => undefined} />);

test('a task tells why it is in the background, its process, its ports, its times and its log', () => {
  const markup = drawn({ pid: 4711, ports: [5173], background: 'explicit' });
  expect(textOf(markup)).toMatch(
    /npm run dev 1:1\d last output \d s ago PID 4711 : ?5173 .*in the background: asked to/,
  );
  expect(buttonsOf(markup)).toEqual([
    ':5173',
    'Send input',
    'Search the output',
    'Places in the output',
    'Copy the output',
    'Copy log path',
    'Restart',
    'Stop',
  ]);
});

test('a silent task that looks like a prompt shows the line, with the field for the answer at hand', () => {
  const markup = drawn({ stalledOn: 'Overwrite a.txt? [y/N]', background: 'explicit' });
  expect(textOf(markup)).toContain('Looks as if it waits for an answer: Overwrite a.txt? [y/N]');
  expect(markup).toMatch(/<input aria-label="Input for the program"[^>]* type="text"/);
});

test('a command with empty input is not offered an answer that nobody would read', () => {
  const markup = drawn({ stalledOn: 'Sure?', background: 'measured' });
  expect(textOf(markup)).toContain('Sure? It was started with empty input and cannot be answered.');
  expect([markup.includes('<input'), buttonsOf(markup)[0]]).toEqual([false, 'Search the output']);
});

test('an answer that is a secret is not shown while it is typed', () => {
  expect(drawn({ stalledOn: "Enter passphrase for key '/k':", background: 'explicit' })).toMatch(/type="password"/);
});

test('C8: a prompt cannot draw what it is not', () => {
  expect(textOf(drawn({ stalledOn: '\u001b[2KAllow?\u202e' }))).toContain('␛ [2KAllow? ‹U+202E›');
});

test('a task that ended tells how, and what outlived it; nothing can be sent to it', () => {
  const markup = drawn({
    state: 'completed',
    exitCode: 2,
    endedAt: new Date().toISOString(),
    pid: 4711,
    stalledOn: 'x?',
    survivors: [12, 13],
  });
  expect(textOf(markup)).toMatch(/exit 2 .*Left running: 12, 13/);
  expect(markup).not.toContain('<input');
  expect(buttonsOf(markup)).toEqual([
    'Search the output',
    'Places in the output',
    'Copy the output',
    'Copy log path',
    'Restart',
    'Remove from the list',
  ]);
});
