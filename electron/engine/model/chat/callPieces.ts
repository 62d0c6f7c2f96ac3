import type { Fault } from '../base/fault.ts';
import { isObject, numberOf, parseJson, textOf } from '../base/json.ts';
import type { ModelCall } from '../base/port.ts';
import { replyBounds, tooMuch } from '../wire/replyBounds.ts';

interface OpenCall {
  id: string;
  name: string;
  readonly index: number | undefined;
  readonly pieces: string[];
  chars: number;
  extra?: unknown;
}

interface CallProgress {
  readonly name: string;
  /** Characters of its arguments, and how many of them this piece brought. */
  readonly chars: number;
  readonly added: number;
  /** The calls are more than a reply may hold. */
  readonly fault: Fault | undefined;
}

/**
 * Puts tool calls together from the pieces of a stream, as providers really send them: ids or indexes missing, the
 * same index for several calls, names that come late, empty or again, arguments as an object.
 */
export class CallPieces {
  readonly #calls: OpenCall[] = [];
  #keptChars = 0;

  /** Takes one entry of `delta.tool_calls` (or of `message.tool_calls`) and says how far its call has come. */
  add(piece: unknown): CallProgress | undefined {
    if (!isObject(piece)) return undefined;
    const written = isObject(piece.function) ? piece.function : piece;
    const id = textOf(piece.id);
    const name = textOf(written.name);
    const index = numberOf(piece.index);
    const call = this.#callOf(id, name, index);
    if (id !== undefined && call.id === '' && id.length <= replyBounds.idChars) call.id = id;
    if (name !== undefined) call.name = joinedName(call, name);
    const text = argumentsOf(written.arguments);
    if (text !== '') {
      call.pieces.push(text);
      call.chars += text.length;
    }
    const extra = piece.extra_content;
    if (extra !== undefined && extra !== null) {
      this.#keptChars += JSON.stringify(extra).length;
      call.extra = extra;
    }
    return { name: call.name, chars: call.chars, added: text.length, fault: this.#excess(call) };
  }

  #excess(call: OpenCall): Fault | undefined {
    if (call.name.length > replyBounds.nameChars) return tooMuch('a tool name without end');
    if (this.#calls.length > replyBounds.calls) return tooMuch(`more than ${replyBounds.calls} calls`);
    return this.#keptChars > replyBounds.keptChars ? tooMuch('endless additions to its calls') : undefined;
  }

  /** The calls in the order of their first piece; ids that are missing or taken get a new one. Undefined: one has no name. */
  finish(isTaken: (id: string) => boolean, newId: () => string): readonly ModelCall[] | undefined {
    const calls: ModelCall[] = [];
    const given = new Set<string>();
    for (const call of this.#calls) {
      if (call.name === '') return undefined;
      let id = call.id;
      while (id === '' || given.has(id) || isTaken(id)) id = newId();
      given.add(id);
      calls.push({ id, name: call.name, argumentsText: call.pieces.join(''), extra: call.extra });
    }
    return calls;
  }

  #callOf(id: string | undefined, name: string | undefined, index: number | undefined): OpenCall {
    const last = this.#calls.at(-1);
    const atIndex = index === undefined ? last : this.#calls.findLast((call) => call.index === index);
    if (!atIndex) {
      const byId =
        id === undefined ? undefined : this.#calls.findLast((call) => call.id === id && call.index === undefined);
      return byId ?? this.#open(index);
    }
    if (id !== undefined && atIndex.id === id) return atIndex;
    if (id !== undefined && atIndex.id !== '') {
      const byId = this.#calls.findLast((call) => call.id === id && (index === undefined || call.index === index));
      if (byId) return byId;
      // Another id at the same place: another call, unless it is a bare continuation under a fresh id.
      return name !== undefined || isWhole(atIndex) ? this.#open(index) : atIndex;
    }
    // No id to go by: a name after whole arguments begins the next call (servers that number every call 0).
    return name !== undefined && atIndex.name !== '' && isWhole(atIndex) ? this.#open(index) : atIndex;
  }

  #open(index: number | undefined): OpenCall {
    const call: OpenCall = { id: '', name: '', index, pieces: [], chars: 0 };
    this.#calls.push(call);
    return call;
  }
}

/** A name comes whole (perhaps again with each piece), or, rarely, in parts before any argument. */
function joinedName(call: OpenCall, name: string): string {
  if (call.name === '' || name.startsWith(call.name)) return name;
  return call.chars === 0 ? call.name + name : call.name;
}

function argumentsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return isObject(value) || Array.isArray(value) ? JSON.stringify(value) : '';
}

/** Cheap for most pieces: what does not end like an object is not parsed. */
function isWhole(call: OpenCall): boolean {
  return call.pieces.at(-1)?.trimEnd().endsWith('}') === true && isObject(parseJson(call.pieces.join('')));
}
