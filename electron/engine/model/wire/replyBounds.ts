import { type Fault, fault } from '../base/fault.ts';

/**
 * What one reply may hold. A server is a stranger: without bounds it fills memory and journal, and makes texts that
 * whoever walks them cannot hold. The largest honest replies (128,000 tokens) stay far below.
 */
export const replyBounds = {
  /** Text, reasoning and arguments together, in characters. */
  chars: 8_000_000,
  calls: 1_000,
  /** OpenAI allows 64 characters, MCP servers use up to twice that. */
  nameChars: 200,
  idChars: 500,
  /** What a provider wants back unread with one call or reply, as JSON. */
  keptChars: 2_000_000,
  /** Bytes on the wire, after decompression; a token in an event of its own takes about 300. */
  bytes: 256 * 1024 * 1024,
} as const;

/** Counts what a reply has come to; a fault once it is too much. Sending the request again would bring the same. */
export class ReplySize {
  #chars = 0;

  add(chars: number): Fault | undefined {
    this.#chars += chars;
    return this.#chars > replyBounds.chars ? tooMuch(`more than ${replyBounds.chars} characters`) : undefined;
  }
}

export function tooMuch(what: string): Fault {
  return fault('PROVIDER_BAD_RESPONSE', `The reply was given up: the provider sent ${what}. Try another model.`, false);
}
