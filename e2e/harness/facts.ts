import type { Envelope, EventOf, SessionEventType } from '../../shared/model/event.ts';

/** The facts that `vise exec --json` has printed. Throws where a line is no JSON object. */
export function factsIn(stdout: string): readonly Envelope[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Envelope);
}

/** All facts of one type, in order. */
export function eventsOf<T extends SessionEventType>(facts: readonly Envelope[], type: T): readonly EventOf<T>[] {
  return facts.map(({ event }) => event).filter((event): event is EventOf<T> => event.type === type);
}

/** How the turn ended: the last line's fact. Throws where the last line is another one. */
export function endIn(stdout: string): EventOf<'turn.finished'> {
  const last = factsIn(stdout).at(-1)?.event;
  if (last?.type !== 'turn.finished') throw new Error(`The last line is no turn.finished:\n${stdout.slice(-2_000)}`);
  return last;
}
