import { describe, expect, test } from 'vitest';
import { modes, type PhaseFacts, type PlanStep, phases } from '../../../shared/model/phase.ts';
import { noFacts } from '../../../shared/model/sessionState.ts';
import { type ToolParts, toolsOf } from '../tools/all.ts';
import { protocolTools } from '../tools/phase/protocolTools.ts';
import type { Report } from '../tools/phase/reports.ts';
import { onRequest } from './phaseEntry.ts';
import { afterCall, exposes, forbids, onText } from './phases.ts';
import { afterReply } from './steps.ts';

// Nothing is run here: the parts are only handed on.
const tools = toolsOf({ tasks: {}, git: {}, cache: {}, browser: {}, permission: {} } as ToolParts);
const all = [...tools, ...protocolTools.filter(({ name }) => !tools.some((tool) => tool.name === name))];
const named = (name: string) => {
  const tool = all.find((one) => one.name === name);
  if (!tool) throw new Error(name);
  return tool;
};

describe('the white-lists', () => {
  // Each tool of the text protocol in each phase.
  const allowed: Readonly<Record<string, readonly string[]>> = {
    IDLE: [],
    EXPLORING: ['list_files', 'read_file', 'search_text', 'report_findings'],
    PLANNING: ['list_files', 'read_file', 'search_text', 'report_plan'],
    PATCHING: [
      'list_files',
      'read_file',
      'search_text',
      'write_file',
      'apply_diff',
      'report_blocked',
      'report_step_done',
    ],
    VERIFYING: ['list_files', 'read_file', 'search_text', 'write_file', 'apply_diff', 'report_blocked', 'report_done'],
    DONE: [],
    FAILED: [],
  };
  const names = [...new Set(Object.values(allowed).flat())];
  test.each(phases.flatMap((phase) => names.map((name) => ({ phase, name }))))('$name in $phase', ({ phase, name }) => {
    const wanted = allowed[phase]?.includes(name) === true;
    const tool = named(name);
    expect(exposes('phased', phase, tool)).toBe(wanted);
    expect(forbids('phased', phase, tool, { effects: [] }) === undefined).toBe(wanted);
  });

  test('no tool at all outside of a task, no report outside of the phased mode', () => {
    for (const tool of all) {
      for (const phase of ['IDLE', 'DONE', 'FAILED'] as const) expect(exposes('phased', phase, tool)).toBe(false);
      for (const mode of ['direct', 'ask'] as const)
        if (tool.category === 'phase') expect(exposes(mode, 'IDLE', tool)).toBe(false);
    }
  });

  test('whatever a tool is called: no phase that only reads lets a write or an unproven command through', () => {
    for (const tool of all) {
      for (const phase of ['EXPLORING', 'PLANNING'] as const) {
        expect(forbids('phased', phase, tool, { effects: ['writes'] })).toBeTypeOf('string');
        expect(forbids('phased', phase, tool, { effects: ['executes'] })).toBeTypeOf('string');
      }
      expect(forbids('ask', 'IDLE', tool, { effects: ['writes'] })).toBeTypeOf('string');
    }
    expect(
      forbids('phased', 'EXPLORING', named('run'), { effects: ['executes'], provenReadOnly: true }),
    ).toBeUndefined();
  });

  test('every mode and phase answers for every tool', () => {
    for (const mode of modes)
      for (const phase of phases) for (const tool of all) expect(exposes(mode, phase, tool)).toBeTypeOf('boolean');
  });
});

const step = (id: number, state: PlanStep['state'], targetFiles: readonly string[], retries = 0): PlanStep => ({
  id: `step-${id}`,
  intent: `do ${id}`,
  targetFiles,
  state,
  retries,
});
const patching = (...steps: readonly PlanStep[]): PhaseFacts => ({ ...noFacts, phase: 'PATCHING', steps });
const report = (data: Report) =>
  ({ tool: `report_${data._report}`, result: { success: true, data }, written: [] }) as const;
const wrote = (...written: readonly string[]) =>
  ({ tool: 'write_file', result: { success: true, data: {} }, written }) as const;
const stepsOf = (facts: PhaseFacts, call: Parameters<typeof afterCall>[2]) => {
  const { events, to } = afterCall('phased', facts, call);
  return {
    to,
    steps: events.flatMap((event) => (event.type === 'step.changed' ? [`${event.step.id} ${event.step.state}`] : [])),
  };
};

const judged = (facts: PhaseFacts, sincePlan: readonly string[], inReply = true) => {
  const { events, to } = afterReply('phased', facts, { sincePlan, inReply });
  return {
    to,
    steps: events.flatMap((event) => (event.type === 'step.changed' ? [`${event.step.id} ${event.step.state}`] : [])),
  };
};

describe('a step of the plan', () => {
  test('ends with the reply that changed the last of its files, and the last step ends the phase', () => {
    const two = patching(step(1, 'running', ['a']), step(2, 'pending', ['b', 'c']));
    expect(judged(two, ['./a'])).toEqual({ to: undefined, steps: ['step-1 done', 'step-2 running'] });
    const last = patching(step(1, 'done', ['a']), step(2, 'running', ['b', 'c']));
    expect(judged(last, ['a', 'b'])).toEqual({ to: undefined, steps: [] });
    expect(judged(last, ['a', 'b', 'c'])).toEqual({ to: 'VERIFYING', steps: ['step-2 done'] });
  });

  test('is not ended by a write elsewhere, nor by a write to a file of another step', () => {
    const two = patching(step(1, 'running', ['a']), step(2, 'pending', ['b']));
    expect(judged(two, ['x'])).toEqual({ to: undefined, steps: [] });
    expect(judged(two, ['b'])).toEqual({ to: undefined, steps: ['step-2 done'] });
  });

  test('that names no file ends with the next reply that writes one', () => {
    const two = patching(step(1, 'running', []), step(2, 'pending', []));
    expect(judged(two, [], false)).toEqual({ to: undefined, steps: [] });
    expect(judged(two, ['x'])).toEqual({ to: undefined, steps: ['step-1 done', 'step-2 running'] });
  });

  test('ends when the model says so, the named one or the current one', () => {
    const two = patching(step(1, 'running', ['a']), step(2, 'pending', ['b']));
    expect(stepsOf(two, report({ ok: true, _report: 'step_done' }))).toEqual({
      to: undefined,
      steps: ['step-1 done', 'step-2 running'],
    });
    expect(stepsOf(two, report({ ok: true, _report: 'step_done', step: 2 }))).toEqual({
      to: undefined,
      steps: ['step-2 done'],
    });
    expect(stepsOf(two, report({ ok: true, _report: 'step_done', step: 7 }))).toEqual({ to: undefined, steps: [] });
  });

  test('is judged only while patching and only in the phased mode', () => {
    const facts = patching(step(1, 'running', ['a']));
    expect(judged({ ...facts, phase: 'VERIFYING' }, ['a'])).toEqual({ to: undefined, steps: [] });
    expect(afterReply('direct', facts, { sincePlan: ['a'], inReply: true }).events).toEqual([]);
  });

  test('that ends as done buys five iterations, up to twice the limit', () => {
    let facts = patching(
      ...Array.from({ length: 6 }, (_, index) => step(index, index === 0 ? 'running' : 'pending', [])),
    );
    const limits: number[] = [];
    for (let i = 0; i < 6; i += 1) {
      for (const event of afterReply('phased', facts, { sincePlan: [`f${i}`], inReply: true }).events) {
        if (event.type === 'iteration.counted') facts = { ...facts, maxIterations: event.maxIterations };
        if (event.type === 'step.changed')
          facts = { ...facts, steps: facts.steps.map((one) => (one.id === event.step.id ? event.step : one)) };
      }
      limits.push(facts.maxIterations);
    }
    expect(limits).toEqual([25, 30, 35, 40, 40, 40]);
  });
});

test('an edit while verifying goes back to patching, and the reply that holds it ends there again', () => {
  const verifying: PhaseFacts = { ...patching(step(1, 'done', ['a'])), phase: 'VERIFYING' };
  expect(stepsOf(verifying, wrote('a'))).toEqual({ to: 'PATCHING', steps: [] });
  expect(judged({ ...verifying, phase: 'PATCHING' }, ['a'])).toEqual({ to: 'VERIFYING', steps: [] });
  expect(judged({ ...verifying, phase: 'PATCHING' }, ['a'], false)).toEqual({ to: undefined, steps: [] });
});

describe('report_blocked', () => {
  const blocked = (suggested_action: 'retry' | 'skip' | 'replan' | 'abort') =>
    report({ ok: false as const, _report: 'blocked', reason_type: 'other', detail: 'why', suggested_action });
  const facts = patching(step(1, 'running', ['a']), step(2, 'pending', ['b']));
  const verifying: PhaseFacts = { ...patching(step(1, 'done', ['a'])), phase: 'VERIFYING' };

  test.each([
    ['PATCHING', 'retry', facts, { to: undefined, steps: ['step-1 running'] }],
    ['PATCHING', 'skip', facts, { to: undefined, steps: ['step-1 skipped', 'step-2 running'] }],
    ['PATCHING', 'replan', facts, { to: 'PLANNING', steps: [] }],
    ['PATCHING', 'abort', facts, { to: 'FAILED', steps: [] }],
    ['VERIFYING', 'retry', verifying, { to: 'PLANNING', steps: [] }],
    ['VERIFYING', 'skip', verifying, { to: undefined, steps: [] }],
    ['VERIFYING', 'replan', verifying, { to: 'PLANNING', steps: [] }],
    ['VERIFYING', 'abort', verifying, { to: 'FAILED', steps: [] }],
  ] as const)('in %s with %s', (_phase, action, before, after) => {
    expect(stepsOf(before, blocked(action))).toEqual(after);
  });

  test('the third time a step fails the task', () => {
    const twice = patching(step(1, 'running', ['a'], 2));
    expect(stepsOf(twice, blocked('retry'))).toEqual({ to: 'FAILED', steps: ['step-1 failed'] });
  });

  test('the third new plan is none: the task fails', () => {
    expect(stepsOf({ ...facts, replans: 2 }, blocked('replan')).to).toBe('FAILED');
    expect(stepsOf({ ...verifying, replans: 2 }, blocked('retry')).to).toBe('FAILED');
  });

  test('a new plan keeps what is done', () => {
    const events = afterCall('phased', patching(step(1, 'done', []), step(2, 'running', [])), blocked('replan')).events;
    expect(events).toContainEqual({ type: 'plan.reported', steps: [step(1, 'done', [])], replan: true });
  });

  test('the reason stands with the step', () => {
    const [event] = afterCall('phased', facts, blocked('skip')).events;
    expect(event).toMatchObject({ step: { error: '[other] why', retries: 1 } });
  });
});

test('what a request opens: a new task when the last one is over', () => {
  for (const phase of phases) {
    expect(onRequest('phased', { ...noFacts, phase }, 20, true).to).toBe('EXPLORING');
    expect(onRequest('phased', { ...noFacts, phase }, 20, false).to).toBeUndefined();
    expect(onRequest('direct', { ...noFacts, phase }, 20, true).events).toEqual([]);
  }
});

test('words in each phase: a hint that names the tool, or the answer', () => {
  const kinds = phases.map((phase) => {
    const verdict = onText('phased', { ...noFacts, phase }, 1);
    return [phase, verdict.kind === 'hint' ? /report_\w+/.exec(verdict.text)?.[0] : (verdict.status ?? 'final')];
  });
  expect(kinds).toEqual([
    ['IDLE', 'final'],
    ['EXPLORING', 'answered'],
    ['PLANNING', 'report_plan'],
    ['PATCHING', 'report_step_done'],
    ['VERIFYING', 'unverified'],
    ['DONE', 'final'],
    ['FAILED', 'final'],
  ]);
  expect(onText('phased', { ...noFacts, phase: 'PLANNING' }, 2)).toEqual({ kind: 'final', status: 'answered' });
  expect(onText('phased', { ...noFacts, phase: 'PATCHING' }, 2)).toEqual({ kind: 'final', status: 'unverified' });
  expect(onText('ask', noFacts, 1)).toEqual({ kind: 'final', status: 'answered' });
});
