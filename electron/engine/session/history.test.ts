import { expect, test } from 'vitest';
import type { SessionEvent } from '../../../shared/model/event.ts';
import { reduce } from '../../../shared/model/reduce.ts';
import { emptySession, type SessionState } from '../../../shared/model/sessionState.ts';
import { cutPoint } from './compaction.ts';
import { createHistory } from './history.ts';

const history = createHistory({ resultChars: () => 1_000, readImage: (id) => (id === 'known' ? 'QUJD' : undefined) });
const after = (...events: readonly SessionEvent[]): SessionState =>
  events.reduce<SessionState>(
    (state, event, index) => reduce(state, { seq: index + 1, at: '', session: 's', event }),
    emptySession,
  );
const turn: SessionEvent = { type: 'turn.started', turn: 't', text: 'Go.', kind: 'task' };
const reply = (...ids: readonly string[]): SessionEvent => ({
  type: 'message',
  turn: 't',
  role: 'assistant',
  text: '',
  calls: ids.map((id) => ({ id, tool: 'read_file', input: {} })),
});
const answered = (id: string): readonly SessionEvent[] => [
  { type: 'tool.proposed', call: id, turn: 't', tool: 'read_file', level: 'none', input: {} },
  { type: 'tool.finished', call: id, tool: 'read_file', result: { success: true, data: id } },
];
const shape = (state: SessionState): readonly string[] =>
  history(state).map((message) =>
    message.role === 'tool' ? `tool ${message.callId} ${message.text.slice(0, 16)}` : message.role,
  );

test('each call has exactly one answer right behind it, in the order of the calls, also one that was never run', () => {
  expect(shape(after(turn, reply('a', 'b', 'c'), ...answered('b'), ...answered('a')))).toEqual([
    'user',
    'assistant',
    'tool a a',
    'tool b b',
    'tool c {"success":false',
  ]);
});

test('a cut of the past never leaves an answer without its call', () => {
  const events = [turn, reply('a'), ...answered('a'), reply('b'), ...answered('b'), reply('c'), ...answered('c')];
  const state = after(...events);
  for (const budget of [0, 1, 10, 20, 1_000]) {
    const upTo = cutPoint(state, 0, budget, (text) => text.length);
    const roles = shape({ ...state, compacted: { upTo, summary: 'before' } });
    expect(roles[0]).toBe('user');
    expect(roles[1]).not.toMatch(/^tool/);
    expect(roles.at(-1)).toBe('tool c c');
  }
  expect(cutPoint(state, 0, 1_000_000, (text) => text.length)).toBe(0);
});

test('a message is made once, so that its bytes can be kept', () => {
  const state = after(turn, reply('a'), ...answered('a'));
  const [first, second, third] = history(state);
  const again = history(reduce(state, { seq: 9, at: '', session: 's', event: reply('b') }));
  expect([again[0] === first, again[1] === second, again[2] === third]).toEqual([true, true, true]);
});

test('a conversation that grew, was shortened or is another one is made as if nothing had been kept', () => {
  const kept = createHistory({ resultChars: () => 1_000, readImage: () => undefined });
  const events = [
    turn,
    ...Array.from({ length: 70 }, (_, step) => [reply(`a${step}`), ...answered(`a${step}`)]).flat(),
    reply('b', 'c'),
    ...answered('c'),
  ];
  const states: SessionState[] = [
    { ...after(...events), compacted: { upTo: 5, summary: 'short' } },
    after(turn, reply('x'), ...answered('x')),
    after(...events, ...answered('b')),
  ];
  let growing = emptySession;
  for (const [index, event] of events.entries()) {
    growing = reduce(growing, { seq: index + 1, at: '', session: 's', event });
    if (index % 3 === 0) states.push(growing);
  }
  for (const state of states) {
    const fresh = createHistory({ resultChars: () => 1_000, readImage: () => undefined });
    expect(kept(state)).toEqual(fresh(state));
  }
});

test('the summary of the past stays the same message while it is the same', () => {
  const state = { ...after(turn, reply('a'), ...answered('a')), compacted: { upTo: 1, summary: 'before' } };
  const [first] = history(state);
  const [again] = history(reduce(state, { seq: 9, at: '', session: 's', event: reply('b') }));
  expect(again === first).toBe(true);
});

test('pictures go as pictures; words of Vise are marked as such', () => {
  const image = (content: string) => ({ kind: 'image', content, mediaType: 'image/png' }) as const;
  const state = after(
    { ...turn, attachments: [image('known'), image('gone'), { kind: 'text', title: 'Log', text: 'x' }] },
    { type: 'message', turn: 't', role: 'system', text: 'A hint.' },
  );
  expect(history(state)).toEqual([
    {
      role: 'user',
      text: 'Go.\n\nAttached: Log\nx\n\n(A picture that was here is no longer kept.)',
      images: [{ mediaType: 'image/png', data: 'QUJD' }],
    },
    { role: 'user', text: '(From Vise, not from the person) A hint.', origin: 'vise' },
  ]);
});
