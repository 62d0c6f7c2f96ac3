import { describe, expect, test } from 'vitest';
import type { Brought } from './brought.ts';
import type { SessionEvent } from './event.ts';
import type { Intent } from './intent.ts';
import { callsOf, liveCallsOf, reduce } from './reduce.ts';
import { emptySession, type SessionState } from './sessionState.ts';
import type { Task } from './task.ts';
import { itemsOf } from './timeline.ts';

const at = '2026-01-01T00:00:00.000Z';

function after(...events: readonly SessionEvent[]): SessionState {
  return events.reduce<SessionState>(
    (state, event, index) => reduce(state, { seq: index + 1, at, session: 's', event }),
    emptySession,
  );
}

const started: SessionEvent = {
  type: 'session.started',
  id: 's',
  project: '/p',
  title: '',
  mode: 'phased',
  provider: 'x',
  model: 'm',
};
const turn: SessionEvent = { type: 'turn.started', turn: 't1', text: 'Hello', kind: 'task' };
const end = (outcome: 'done' | 'cancelled'): SessionEvent => ({ type: 'turn.finished', turn: 't1', outcome, text: '' });
const reading: Intent = {
  risk: 'none',
  effects: ['reads'],
  targets: [{ kind: 'path', path: 'a.txt', access: 'read' }],
  summary: 'Read a.txt',
  preview: { kind: 'none' },
};
const proposed: SessionEvent = {
  type: 'tool.proposed',
  call: 'c1',
  turn: 't1',
  tool: 'read_file',
  level: 'none',
  input: { filePath: 'a.txt' },
  intent: reading,
};

describe('a turn', () => {
  test('streams into the running turn, and the message takes its place', () => {
    const streaming = after(
      started,
      turn,
      { type: 'reasoning.delta', turn: 't1', text: 'Hm.' },
      { type: 'text.delta', turn: 't1', text: 'He' },
      { type: 'text.delta', turn: 't1', text: 'llo' },
    );
    expect(streaming.turn).toEqual({ id: 't1', startedAt: at, text: 'Hello', reasoning: 'Hm.' });
    const restarted = reduce(streaming, { seq: 9, at, session: 's', event: { type: 'text.restarted', turn: 't1' } });
    expect(restarted.turn).toEqual({ id: 't1', startedAt: at, text: '', reasoning: '' });
    const said = reduce(streaming, {
      seq: 9,
      at,
      session: 's',
      event: { type: 'message', turn: 't1', role: 'assistant', text: 'Hello', reasoning: 'Hm.' },
    });
    expect(said.turn).toEqual({ id: 't1', startedAt: at, text: '', reasoning: '' });
    expect([...itemsOf(said.items)].at(-1)).toEqual({
      kind: 'assistant',
      turn: 't1',
      at,
      text: 'Hello',
      reasoning: 'Hm.',
      calls: [],
    });
  });

  test('text without a turn changes nothing', () => {
    const state = after(started);
    expect(reduce(state, { seq: 2, at, session: 's', event: { type: 'text.delta', turn: 't1', text: 'x' } })).toBe(
      state,
    );
  });

  test('that goes on after an interruption is the same turn, not another one', () => {
    const state = after(started, turn, { type: 'turn.interrupted', turn: 't1' });
    expect({ turn: state.turn, interrupted: state.interrupted, turns: state.turns }).toEqual({
      turn: null,
      interrupted: 't1',
      turns: 1,
    });
    const resumed = reduce(state, {
      seq: 4,
      at,
      session: 's',
      event: { type: 'turn.started', turn: 't1', text: '', kind: 'resume' },
    });
    expect({ interrupted: resumed.interrupted, turns: resumed.turns, items: resumed.items }).toEqual({
      interrupted: null,
      turns: 1,
      items: state.items,
    });
  });
});

describe('the facts of a task', () => {
  const working: readonly SessionEvent[] = [
    started,
    turn,
    { type: 'phase.changed', from: 'IDLE', to: 'EXPLORING', cause: 'a new task' },
    { type: 'findings.reported', findings: ['f'], files: ['a'], constraints: ['c'] },
  ];

  test('are dropped when the next message opens a new task', () => {
    const state = after(...working, end('done'), { ...turn, turn: 't2' });
    expect(state.facts).toEqual({ ...emptySession.facts, phase: 'EXPLORING' });
  });

  test('stay when the turn was stopped', () => {
    const state = after(...working, end('cancelled'), { ...turn, turn: 't2' });
    expect(state.facts.findings).toEqual(['f']);
  });

  test('stay when a phase was entered by hand since the task was done', () => {
    const byHand: SessionEvent = { type: 'phase.changed', from: 'EXPLORING', to: 'PATCHING', cause: 'moved by hand' };
    const state = after(...working, end('done'), byHand, { ...turn, turn: 't2' });
    expect({ phase: state.facts.phase, findings: state.facts.findings }).toEqual({
      phase: 'PATCHING',
      findings: ['f'],
    });
  });

  test('are dropped when PROJECT.md is to be written, whatever the task was doing', () => {
    expect(after(...working, { ...turn, turn: 't2', kind: 'init' }).facts.findings).toEqual([]);
  });

  test('gather constraints and files once each', () => {
    const again: SessionEvent = {
      type: 'findings.reported',
      findings: ['g'],
      files: ['a', 'b'],
      constraints: ['c', 'd'],
    };
    const { findings, filesRead, constraints } = after(...working, again).facts;
    expect({ findings, filesRead, constraints }).toEqual({
      findings: ['f', 'g'],
      filesRead: ['a', 'b'],
      constraints: ['c', 'd'],
    });
  });

  test('name the files whose text a call brought, once each, at most 200', () => {
    const result = { success: true, data: null } as const;
    const finished: SessionEvent = { type: 'tool.finished', call: 'c1', tool: 'read_file', result };
    const brought = { files: ['a.txt', 'b.txt'] };
    expect(after(started, turn, proposed, { ...finished, brought }).facts.filesRead).toEqual(['a.txt', 'b.txt']);
    expect(after(started, turn, proposed, finished).facts.filesRead).toEqual([]);
    const many = Array.from({ length: 300 }, (_, index) => `f${index % 250}`);
    expect(after(started, turn, proposed, { ...finished, brought: { files: many } }).facts.filesRead).toHaveLength(200);
  });
});

describe('what is known of web pages', () => {
  const content = 'a'.repeat(64);
  const tab = (id: number, active: boolean) => ({ id, url: `http://127.0.0.1/${id}`, title: '', active });
  const brings = (brought: Brought): SessionEvent => ({
    type: 'tool.finished',
    call: 'c1',
    tool: 'x',
    result: { success: true, data: null },
    brought,
  });

  test('the newest tabs stand, and the newest picture with the tab that was in front', () => {
    const picture = { content, mediaType: 'image/png', width: 4, height: 3 };
    const { browser } = after(
      started,
      brings({ tabs: [tab(1, true)] }),
      brings({ tabs: [tab(1, false), tab(2, true)], pictures: [picture] }),
      brings({ tabs: [tab(1, true)] }),
    );
    expect(browser).toEqual({ tabs: [tab(1, true)], picture: { ...picture, at, tab: 2 } });
  });

  test('a picture that came without tabs is none of a page', () => {
    expect(after(started, brings({ pictures: [{ content, mediaType: 'image/png' }] })).browser.picture).toBe(null);
  });
});

describe('a call', () => {
  test('goes through its states and is live until it is finished', () => {
    const approval = { askedAt: at, reasons: ['why'], severe: false, rememberable: true, suggestions: [] } as const;
    const states = [
      proposed,
      { type: 'permission.asked', call: 'c1', approval },
      { type: 'permission.answered', call: 'c1', answer: { at, decision: 'allow', by: 'user' } },
      { type: 'tool.started', call: 'c1' },
      { type: 'tool.output', call: 'c1', text: 'x'.repeat(5_000) },
    ] satisfies readonly SessionEvent[];
    let state = after(started, turn);
    const seen = states.map((event, index) => {
      state = reduce(state, { seq: index + 3, at, session: 's', event });
      return liveCallsOf(state).map((call) => call.state);
    });
    expect(seen).toEqual([['proposed'], ['waiting'], ['proposed'], ['running'], ['running']]);
    expect(callsOf(state)[0]?.output).toHaveLength(4_000);
    const done = reduce(state, {
      seq: 9,
      at,
      session: 's',
      event: { type: 'tool.finished', call: 'c1', tool: 'read_file', result: { success: true, data: 1 } },
    });
    expect({ live: liveCallsOf(done), state: callsOf(done)[0]?.state }).toEqual({ live: [], state: 'finished' });
  });

  test('that nobody knows changes nothing', () => {
    const state = after(started, turn);
    expect(reduce(state, { seq: 3, at, session: 's', event: { type: 'tool.started', call: 'none' } })).toEqual(state);
  });
});

test('a change is applied, undone and brought again', () => {
  const applied: SessionEvent = {
    type: 'change.applied',
    changeSet: 'x',
    call: 'c1',
    turn: 't1',
    files: [
      { path: 'a', status: 'modified', before: '1', after: '2', additions: 1, deletions: 1, verdict: 'applied' },
      { path: 'b', status: 'added', before: null, after: '3', additions: 1, deletions: 0, verdict: 'rejected' },
    ],
  };
  const state = after(started, turn, proposed, applied);
  expect({ modified: state.facts.filesModified, set: callsOf(state)[0]?.changeSet }).toEqual({
    modified: ['a'],
    set: 'x',
  });
  const undone = after(started, turn, proposed, applied, { type: 'change.undone', changeSet: 'x', files: ['a'] });
  expect(undone.changeSets.map((set) => set.state)).toEqual(['undone']);
  const redone = after(
    started,
    turn,
    proposed,
    applied,
    { type: 'change.undone', changeSet: 'x', files: ['a'] },
    { type: 'change.redone', changeSet: 'x', files: ['a'] },
  );
  expect(redone.changeSets.map((set) => set.state)).toEqual(['applied']);
});

test('of many tasks the oldest ended ones are forgotten, a running one never', () => {
  const task = (id: string, state: Task['state']): SessionEvent => ({
    type: 'task.started',
    task: { id, state } as Task, // the reducer looks at no other field
  });
  const events = Array.from({ length: 300 }, (_, index) => task(`t${index}`, index === 0 ? 'running' : 'completed'));
  const { tasks } = after(started, ...events);
  expect(Object.keys(tasks)).toHaveLength(200);
  expect(tasks['t0']?.state).toBe('running');
  expect(tasks['t299']?.state).toBe('completed');
});

test('an event of a newer version changes nothing', () => {
  const state = after(started);
  const event = { type: 'from.the.future' } as unknown as SessionEvent;
  expect(reduce(state, { seq: 2, at, session: 's', event })).toBe(state);
});

test('a state is never changed in place', () => {
  const freeze = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
    Object.freeze(value);
    for (const part of Object.values(value)) freeze(part);
  };
  let state: SessionState = emptySession;
  const events: readonly SessionEvent[] = [
    started,
    turn,
    proposed,
    { type: 'tool.started', call: 'c1' },
    { type: 'message.queued', id: 'q', text: 'x' },
    { type: 'message.unqueued', id: 'q' },
    { type: 'tool.finished', call: 'c1', tool: 'read_file', result: { success: true, data: 1 } },
    end('done'),
  ];
  for (const [index, event] of events.entries()) {
    freeze(state);
    state = reduce(state, { seq: index + 1, at, session: 's', event });
  }
  expect(state.lastOutcome).toBe('done');
});

test('a turn ends with what its requests took, also where it was cut off in between; the next one begins at nothing', () => {
  const used = (input: number): SessionEvent => ({
    type: 'usage',
    turn: 't1',
    usage: { requests: 1, input, output: 1, cached: 0, reasoning: 0, cost: 0.5 },
  });
  const resumed: SessionEvent = { type: 'turn.started', turn: 't1', text: '', kind: 'resume' };
  const cutOff: SessionEvent = { type: 'turn.interrupted', turn: 't1' };
  const state = after(started, turn, used(10), cutOff, resumed, used(20), end('done'));
  const whole = { requests: 2, input: 30, output: 2, cached: 0, reasoning: 0, cost: 1 };
  expect([...itemsOf(state.items)].at(-1)).toMatchObject({ kind: 'end', usage: whole });
  const next = [state, reduce(state, { seq: 9, at, session: 's', event: { ...turn, turn: 't2' } })].map(
    ({ turnUsage }) => turnUsage.requests,
  );
  expect(next).toEqual([2, 0]);
});

test('what a person set or allowed holds for the session until it is set anew', () => {
  const rules = [
    {
      id: 'r',
      effect: 'allow' as const,
      match: { tool: 'run' },
      scope: 'session' as const,
      createdAt: at,
      from: 'c1',
    },
  ];
  const set: SessionEvent = {
    type: 'session.configured',
    mode: 'ask',
    provider: 'y',
    model: 'n',
    allow: 'moderate',
    effort: 'high',
    maxCost: 2,
  };
  const wanted = { mode: 'ask', provider: 'y', model: 'n', allow: 'moderate', effort: 'high', maxCost: 2 };
  const state = after(started, set, { type: 'permission.granted', tools: ['browser_open'], rules });
  expect(state).toMatchObject({ ...wanted, grants: { tools: ['browser_open'], rules } });
  expect(after(started, set, { type: 'session.configured', model: 'o' })).toMatchObject({ ...wanted, model: 'o' });
});
