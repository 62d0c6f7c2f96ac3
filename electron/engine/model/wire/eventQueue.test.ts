import { describe, expect, test } from 'vitest';
import { allEvents } from '../../testing/modelEvents.ts';
import type { ModelEvent } from '../base/port.ts';
import { EventQueue } from './eventQueue.ts';

const text = (value: string): ModelEvent => ({ type: 'text', text: value });
const finish: ModelEvent = { type: 'finish', reason: 'stop' };

describe('EventQueue', () => {
  test('joins neighbouring text while it waits', async () => {
    const queue = new EventQueue(() => {});
    for (const part of ['a', 'b']) queue.push(text(part));
    queue.push({ type: 'reasoning', text: 'c' });
    queue.push(text('d'));
    queue.end(finish);
    const found: ModelEvent[] = [];
    for await (const event of queue) found.push(event);
    expect(found).toEqual([text('ab'), { type: 'reasoning', text: 'c' }, text('d'), finish]);
  });

  test('takes nothing after its end', async () => {
    const queue = new EventQueue(() => {});
    queue.end(finish);
    queue.push(text('late'));
    queue.endNow(finish);
    expect(await allEvents(queue)).toEqual([finish]);
  });

  test('drops what waits when it must end now', async () => {
    const queue = new EventQueue(() => {});
    queue.push(text('a'));
    queue.endNow(finish);
    expect(await allEvents(queue)).toEqual([finish]);
  });

  test('asks the producer to pause when nobody reads, and wakes it once', async () => {
    const queue = new EventQueue(() => {});
    let woken = 0;
    for (let count = 0; count < 1_000; count += 1) queue.push({ type: 'restart' });
    expect(queue.full(() => (woken += 1))).toBe(true);
    queue.end(finish);
    await allEvents(queue);
    expect([woken, queue.full(() => {})]).toEqual([1, false]);
  });

  test('tells when the consumer leaves early', async () => {
    let closed = 0;
    const queue = new EventQueue(() => (closed += 1));
    queue.push(text('a'));
    for await (const _ of queue) break;
    expect(closed).toBe(1);
  });

  test('stops nothing when the consumer leaves with the last event', async () => {
    let closed = 0;
    const queue = new EventQueue(() => (closed += 1));
    queue.end(finish);
    for await (const event of queue) if (event.type === 'finish') break;
    expect(closed).toBe(0);
  });
});
