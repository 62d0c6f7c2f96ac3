import { describe, expect, test } from 'vitest';
import type { SessionEvent, WrittenCall } from '../../../shared/model/event.ts';
import type { Effect, Intent } from '../../../shared/model/intent.ts';
import { callsOf, reduce } from '../../../shared/model/reduce.ts';
import { emptySession, type SessionState } from '../../../shared/model/sessionState.ts';
import type { EditsOnDisk } from './editsOnDisk.ts';
import { finishInterrupted } from './interruptedCalls.ts';

const outer: WrittenCall = { id: 'c1', tool: 'run', input: { command: 'codebolt git push' } };
const inner = 'c1>in_1';

function intentOf(...effects: readonly Effect[]): Intent {
  return { risk: 'none', effects, targets: [], summary: '', preview: { kind: 'none' } };
}

function proposed(call: string, tool: string, intent: Intent): SessionEvent {
  return { type: 'tool.proposed', call, turn: 't', tool, level: 'none', input: {}, intent };
}

/** What is left to do, and how the calls that are over ended, after these facts and a restart. */
async function after(...facts: readonly SessionEvent[]): Promise<unknown> {
  const session: { state: SessionState } = { state: emptySession };
  const emit = (event: SessionEvent): void => {
    session.state = reduce(session.state, { seq: 0, at: '', session: '', event });
  };
  for (const fact of [proposed('c1', 'run', intentOf()), { type: 'tool.started', call: 'c1' } as const, ...facts])
    emit(fact);
  const past = new Map(callsOf(session.state).map((call) => [call.id, call]));
  const editsOnDisk = {} as EditsOnDisk; // only asked about calls that showed changes
  const left = await finishInterrupted([outer], past, { session, context: { emit }, editsOnDisk });
  const over = callsOf(session.state).flatMap(({ id, result }) =>
    result?.success === false ? [`${id} ${result.error.code}`] : [],
  );
  return { left: left.map(({ id }) => id), over };
}

describe('a call that was cut while it made another one', () => {
  test('is done again when the one within only waited, which ends', async () => {
    expect(await after(proposed(inner, 'run', intentOf('executes')))).toEqual({
      left: ['c1'],
      over: [`${inner} CANCELLED`],
    });
  });

  test('is done again when the one within only read', async () => {
    const started: SessionEvent = { type: 'tool.started', call: inner };
    expect(await after(proposed(inner, 'read_file', intentOf('reads')), started)).toEqual({
      left: ['c1'],
      over: [`${inner} CANCELLED`],
    });
  });

  test('is never done again when the one within may have done something', async () => {
    const started: SessionEvent = { type: 'tool.started', call: inner };
    expect(await after(proposed(inner, 'run', intentOf('executes')), started)).toEqual({
      left: [],
      over: ['c1 CANCELLED', `${inner} CANCELLED`],
    });
  });

  test('nor when the one within was done', async () => {
    const started: SessionEvent = { type: 'tool.started', call: inner };
    const result = { success: true as const, data: null };
    const finished: SessionEvent = { type: 'tool.finished', call: inner, tool: 'write_file', result };
    expect(await after(proposed(inner, 'write_file', intentOf('writes')), started, finished)).toEqual({
      left: [],
      over: ['c1 CANCELLED'],
    });
  });
});
