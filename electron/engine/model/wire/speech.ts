import type { Fault } from '../base/fault.ts';
import type { ModelEvent } from '../base/port.ts';
import { ReplySize } from './replyBounds.ts';

/** What a reply says, joined: the text of one piece from the network becomes one event, however many it came in. */
export class Speech {
  readonly #emit: (event: ModelEvent) => void;
  readonly #size = new ReplySize();
  #text = '';
  #reasoning = '';
  #call: { readonly name: string; readonly chars: number } | undefined;

  constructor(emit: (event: ModelEvent) => void) {
    this.#emit = emit;
  }

  text(text: string): Fault | undefined {
    if (this.#reasoning !== '' && text !== '') this.flush();
    this.#text += text;
    return this.#size.add(text.length);
  }

  reasoning(text: string): Fault | undefined {
    if (this.#text !== '' && text !== '') this.flush();
    this.#reasoning += text;
    return this.#size.add(text.length);
  }

  /** `added` characters of a call's arguments have come, `chars` in all. */
  call(name: string, chars: number, added: number): Fault | undefined {
    this.#call = { name, chars };
    return this.#size.add(added);
  }

  flush(): void {
    if (this.#text !== '') this.#emit({ type: 'text', text: this.#text });
    if (this.#reasoning !== '') this.#emit({ type: 'reasoning', text: this.#reasoning });
    if (this.#call) this.#emit({ type: 'callDelta', ...this.#call });
    this.#text = '';
    this.#reasoning = '';
    this.#call = undefined;
  }
}
