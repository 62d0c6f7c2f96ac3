import type { Clock } from '../../base/clock.ts';
import { cutFault, type Fault } from '../base/fault.ts';
import type { AnswerReader } from './answerReader.ts';
import type { Body } from './decodedBody.ts';
import type { EventQueue } from './eventQueue.ts';
import { lost, reasonOf, silent } from './transport.ts';
import { Watchdog } from './watchdog.ts';

export interface Pump {
  readonly response: Body;
  readonly reader: AnswerReader;
  readonly queue: EventQueue;
  readonly clock: Clock;
  /** Milliseconds without a byte until the answer is given up; time in which nobody reads does not count. */
  readonly timeoutMs: number;
}

/** After the finish reason only the usage can follow; some servers then keep the line open. */
const graceMs = 2_000;
/** How long the end of a body may take after the end of the reply, so that its connection can be used again. */
const tailMs = 250;

/** Feeds the answer to the reader until either is done. Undefined when the reply is whole, else why it is not. */
export function pumpReply({ response, reader, queue, clock, timeoutMs }: Pump): Promise<Fault | undefined> {
  return new Promise((resolve) => {
    let settled = false;
    const settle = (conclude: () => Fault | undefined) => {
      if (settled) return;
      settled = true;
      watchdog.dispose();
      const result = conclude();
      resolve(result);
      if (response.complete) return;
      const close = clock.after(result ? 0 : tailMs, () => response.destroy());
      response.once('close', () => close.dispose());
      response.resume();
    };
    let waiting: Buffer[] = [];
    const whole = () => reader.end();
    // Cut after the finish reason is not cut: only the usage can be missing.
    const broken = (why: Fault) => () => (reader.finishing ? reader.end() : why);
    const watchdog = new Watchdog(clock, timeoutMs, () => {
      drain();
      if (reader.finishing) settle(whole);
      else if (response.isPaused()) watchdog.rearm();
      else settle(() => silent(timeoutMs));
    });
    // One read of the socket brings many pieces, an event each as a rule: they are read as one.
    const drain = () => {
      if (waiting.length === 0) return;
      const [first] = waiting;
      const bytes = waiting.length === 1 && first ? first : Buffer.concat(waiting);
      waiting = [];
      if (!settled) take(bytes);
    };
    const take = (bytes: Buffer) => {
      watchdog.touch();
      reader.push(bytes);
      if (reader.complete) settle(whole);
      else if (reader.finishing) watchdog.shorten(graceMs);
      else if (
        queue.full(() => {
          watchdog.touch();
          response.resume();
        })
      ) {
        response.pause();
      }
    };
    response.once('close', () => {
      drain();
      if (!response.complete) settle(broken(cutFault()));
    });
    response.on('data', (bytes: Buffer) => {
      if (!settled && waiting.push(bytes) === 1) queueMicrotask(drain);
    });
    response.once('end', () => {
      drain();
      settle(whole);
    });
    response.on('error', (error) => {
      drain();
      settle(broken(lost(reasonOf(error), true)));
    });
    // Lost before anybody listened: none of the above will be heard.
    if (response.destroyed && !response.complete) settle(broken(cutFault()));
  });
}
