import type { ModelEvent, ModelRequest } from '../model/base/port.ts';

/** All events of a reply, with neighbouring text joined (how it was cut does not matter) and progress left out. */
export async function allEvents(events: AsyncIterable<ModelEvent>): Promise<readonly ModelEvent[]> {
  const found: ModelEvent[] = [];
  for await (const event of events) {
    const last = found.at(-1);
    if (event.type === 'callDelta') continue;
    if ((event.type === 'text' || event.type === 'reasoning') && last?.type === event.type) {
      found[found.length - 1] = { type: event.type, text: last.text + event.text };
    } else found.push(event);
  }
  return found;
}

/** A small request with one tool. */
export const sampleRequest: ModelRequest = {
  system: 'Be brief.',
  messages: [{ role: 'user', text: 'Hi' }],
  tools: [{ name: 'read_file', description: 'Reads.', parameters: { type: 'object' } }],
  model: 'm',
};
