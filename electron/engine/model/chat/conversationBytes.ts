import type { ModelMessage } from '../base/port.ts';

/**
 * The bytes of a conversation's messages as they were sent last. The next request usually goes on from there, so only
 * what is new is turned into JSON and encoded: a turn costs the same after a thousand turns. Where the conversation was
 * changed (compaction, a fork), writing starts again at the first difference.
 */
export class ConversationBytes {
  readonly #json: (message: ModelMessage) => string;
  readonly #pictures: (message: ModelMessage) => string | undefined;
  #messages: ModelMessage[] = [];
  /** Where each message ends in the bytes. */
  #ends: number[] = [];
  #bytes = Buffer.alloc(16 * 1024);
  #length = 0;

  /** `pictures` gives the message that shows the pictures of a tool result, if it has any. */
  constructor(json: (message: ModelMessage) => string, pictures: (message: ModelMessage) => string | undefined) {
    this.#json = json;
    this.#pictures = pictures;
  }

  /** All messages, each with a comma in front. Valid until the next call. */
  encode(messages: readonly ModelMessage[]): readonly Uint8Array[] {
    let same = 0;
    while (same < this.#messages.length && this.#messages[same] === messages[same]) same += 1;
    this.#messages.length = same;
    this.#ends.length = same;
    this.#length = this.#ends.at(-1) ?? 0;

    // The answers to one reply must stand together; pictures among them follow behind the last.
    let first = same;
    while (first > 0 && messages[first - 1]?.role === 'tool') first -= 1;
    let waiting = messages.slice(first, same).flatMap((message) => this.#pictures(message) ?? []);
    for (const message of messages.slice(same)) {
      if (message.role !== 'tool') {
        for (const picture of waiting) this.#append(picture);
        waiting = [];
      }
      this.#append(this.#json(message));
      waiting.push(...[this.#pictures(message) ?? []].flat());
      this.#messages.push(message);
      this.#ends.push(this.#length);
    }
    const tail = waiting.map((picture) => Buffer.from(`,${picture}`));
    return [this.#bytes.subarray(0, this.#length), ...tail];
  }

  #append(json: string): void {
    const size = Buffer.byteLength(json) + 1;
    if (this.#length + size > this.#bytes.length) {
      const larger = Buffer.alloc(2 * (this.#length + size));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#bytes[this.#length] = 44; // a comma
    this.#bytes.write(json, this.#length + 1);
    this.#length += size;
  }
}
