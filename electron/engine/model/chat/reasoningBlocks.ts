import { isObject, type JsonObject, numberOf } from '../base/json.ts';
import { replyBounds } from '../wire/replyBounds.ts';

/** Texts of a block that come in pieces. */
const grown = ['text', 'summary', 'data'] as const;
/** Blocks of one reply: of more, or of longer ones, none is kept, because a part of them would be refused. */
const maxBlocks = 1_000;

/**
 * Puts the blocks of `reasoning_details` together from the pieces of a stream (OpenRouter): pieces of one type and index
 * are one block, its texts are joined, everything else (signature, format, id) is what came last. They go back unchanged
 * with the reply, or models that sign their reasoning cannot go on with it.
 */
export class ReasoningBlocks {
  readonly #blocks: Record<string, unknown>[] = [];
  #chars = 0;
  #tooMuch = false;

  add(pieces: unknown): void {
    if (!Array.isArray(pieces) || this.#tooMuch) return;
    this.#chars += JSON.stringify(pieces).length;
    if (this.#chars > replyBounds.keptChars) this.#tooMuch = true;
    for (const piece of pieces as readonly unknown[]) if (isObject(piece)) this.#addPiece(piece);
  }

  finish(): readonly unknown[] | undefined {
    return this.#blocks.length === 0 || this.#tooMuch ? undefined : this.#blocks;
  }

  #addPiece(piece: JsonObject): void {
    const last = this.#blocks.at(-1);
    const index = numberOf(piece.index);
    const isMore =
      last !== undefined &&
      last.type === piece.type &&
      last.index === piece.index &&
      // Without an index only plain text is known to go on; two encrypted blocks stay two.
      (index !== undefined || piece.type === 'reasoning.text');
    if (!isMore) {
      if (this.#blocks.length >= maxBlocks) this.#tooMuch = true;
      else this.#blocks.push({ ...piece });
      return;
    }
    for (const [key, value] of Object.entries(piece)) {
      if (value === null || value === undefined) continue;
      const before = last[key];
      const joins =
        (grown as readonly string[]).includes(key) && typeof before === 'string' && typeof value === 'string';
      last[key] = joins ? before + value : value;
    }
  }
}
