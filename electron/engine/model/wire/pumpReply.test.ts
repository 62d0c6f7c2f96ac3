import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../testing/manualClock.ts';
import { ChatReply } from '../chat/chatReply.ts';
import { AnswerReader } from './answerReader.ts';
import { EventQueue } from './eventQueue.ts';
import { pumpReply } from './pumpReply.ts';

const timeoutMs = 120_000;

function start() {
  const response = Object.assign(new PassThrough(), { complete: false });
  const clock = new ManualClock();
  const queue = new EventQueue(() => {});
  const emit = queue.push.bind(queue);
  const reader = new AnswerReader(
    new ChatReply({ emit, isTaken: () => false, newId: () => 'new', provider: 'test', model: 'm' }),
  );
  const ended = pumpReply({ response, reader, queue, clock, timeoutMs });
  return { response, clock, queue, ended };
}

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ delta, finish_reason: finish }] })}\n\n`;
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the pump', () => {
  test('pauses while nobody reads, without taking that for silence of the server', async () => {
    const { response, clock, queue, ended } = start();
    // Text and reasoning in turn cannot be joined, so the queue fills.
    response.write(`${chunk({ content: 'a' })}${chunk({ reasoning: 'b' })}`.repeat(400));
    while (!response.isPaused()) await turn();
    clock.advance(10 * timeoutMs);
    let events = 0;
    while (response.isPaused()) {
      await queue.next();
      events += 1;
    }
    response.write(chunk({}, 'stop'));
    response.write('data: [DONE]\n\n');
    expect([await ended, events]).toEqual([undefined, 800]);
    response.destroy();
  });

  test('takes silence while somebody reads for what it is', async () => {
    const { response, clock, ended } = start();
    response.write(chunk({ content: 'a' }));
    await turn();
    clock.advance(timeoutMs);
    expect((await ended)?.failure.message).toBe('Provider connection failed: no answer for 120 s (LLM_TIMEOUT)');
    response.destroy();
  });

  test('leaves no timer behind', async () => {
    const { response, clock, ended } = start();
    response.end(chunk({ content: 'a' }, 'stop'));
    await ended;
    response.destroy();
    await turn();
    expect(clock.waiting).toBe(0);
  });
});
