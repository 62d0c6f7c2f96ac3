import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../testing/manualClock.ts';
import { type CallStep, HeldCalls, type Round } from './heldCalls.ts';
import type { CallOptions } from './serverPort.ts';

const round = (changes: Partial<Round> = {}): Round => ({
  signal: new AbortController().signal,
  client: 'a client',
  canAsk: true,
  onProgress: () => undefined,
  ...changes,
});
const asking = async ({ ask }: CallOptions) => ({ result: { success: true as const, data: await ask('May I?') } });
const dataOf = (step: CallStep | undefined): unknown =>
  step?.kind === 'done' && step.answer.result.success ? step.answer.result.data : step;

async function ticketOf(held: HeldCalls): Promise<string> {
  const step = await held.start('t', asking, round());
  return step.kind === 'question' ? step.ticket : '';
}

describe('calls that wait for the client', () => {
  test('go on with the answer', async () => {
    const held = new HeldCalls();
    expect(dataOf(await held.resume(await ticketOf(held), 't', 'allow', round()))).toBe('allow');
  });

  test('take a ticket once, and only for the tool it was given for', async () => {
    const held = new HeldCalls();
    const ticket = await ticketOf(held);
    const other = held.resume(ticket, 'other', 'allow', round());
    await held.resume(ticket, 't', 'deny', round());
    expect([other, held.resume(ticket, 't', 'allow', round()), held.resume('guess', 't', 'allow', round())]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('are refused when nobody answers, and leave no timer', async () => {
    const clock = new ManualClock();
    const held = new HeldCalls(clock);
    let answer: unknown;
    const step = await held.start(
      't',
      async ({ ask }) => {
        answer = await ask('May I?');
        return { result: { success: true, data: null } };
      },
      round(),
    );
    clock.advance(10 * 60_000);
    await Promise.resolve();
    expect([step.kind, answer, clock.waiting]).toEqual(['question', 'deny', 0]);
  });

  test('C5: an hour later a yes finds no question, and what was asked was refused after ten minutes', async () => {
    const clock = new ManualClock();
    const held = new HeldCalls(clock);
    const said: unknown[] = [];
    const step = await held.start(
      't',
      async ({ ask }) => {
        said.push(await ask('May I?'));
        return { result: { success: true, data: null } };
      },
      round(),
    );
    clock.advance(60 * 60_000);
    const late = held.resume(step.kind === 'question' ? step.ticket : '', 't', 'allow', round());
    await Promise.resolve();
    expect([late, said]).toEqual([undefined, ['deny']]);
  });

  test('J5: more questions than a person answers are told at once that nobody can be asked', async () => {
    const held = new HeldCalls(new ManualClock());
    const steps: CallStep[] = [];
    for (let call = 0; call < 60; call += 1) steps.push(await held.start('t', asking, round()));
    expect(steps.map(({ kind }) => kind)).toEqual([
      ...Array<string>(50).fill('question'),
      ...Array<string>(10).fill('done'),
    ]);
    expect(dataOf(steps.at(-1))).toBe('unavailable');
    const [first] = steps;
    await held.resume(first?.kind === 'question' ? first.ticket : '', 't', 'deny', round());
    expect((await held.start('t', asking, round())).kind).toBe('question');
    held.dispose();
  });

  test('may ask twice', async () => {
    const held = new HeldCalls();
    const first = await held.start(
      't',
      async ({ ask }) => ({ result: { success: true, data: [await ask('1'), await ask('2')] } }),
      round(),
    );
    const second = await held.resume(first.kind === 'question' ? first.ticket : '', 't', 'allow', round());
    const done = await held.resume(second?.kind === 'question' ? second.ticket : '', 't', 'deny', round());
    expect([second?.kind === 'question' && second.question, dataOf(done)]).toEqual(['2', ['allow', 'deny']]);
  });

  test('end with the connection', async () => {
    const held = new HeldCalls();
    let stopped = false;
    await held.start(
      't',
      async ({ ask, signal }) => {
        signal.addEventListener('abort', () => {
          stopped = true;
        });
        return { result: { success: true, data: await ask('May I?') } };
      },
      round(),
    );
    held.dispose();
    expect(stopped).toBe(true);
  });
});
