/** Frames between the engine and the PTY host: u32 length of the rest, u8 kind, payload. Bytes of a view carry its number (u32). */
const jsonKind = 0;
const bytesKind = 1;
const headBytes = 5;
/** Far above any real frame; a peer that says more is broken. */
const maxFrameBytes = 64 * 1024 * 1024;

export function jsonFrame(message: unknown): Buffer {
  const text = JSON.stringify(message);
  const size = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(headBytes + size);
  frame.writeUInt32BE(size + 1, 0);
  frame[4] = jsonKind;
  frame.write(text, headBytes);
  return frame;
}

/** Space in front of the bytes that `fillBytesHead` writes to. */
export const bytesHeadBytes = headBytes + 4;

/** Makes `buffer` (its payload already behind the head) the frame of `payloadBytes` bytes of a view. */
export function fillBytesHead(buffer: Buffer, view: number, payloadBytes: number): Buffer {
  buffer.writeUInt32BE(payloadBytes + 5, 0);
  buffer[4] = bytesKind;
  buffer.writeUInt32BE(view, headBytes);
  return buffer.subarray(0, bytesHeadBytes + payloadBytes);
}

export interface FrameListener {
  json(message: unknown): void;
  /** `bytes` is the receiver's to keep. */
  bytes(view: number, bytes: Buffer): void;
}

/** Cuts a stream into frames. Throws on a frame that no peer of ours sends. */
export class FrameReader {
  readonly #listener: FrameListener;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(listener: FrameListener) {
    this.#listener = listener;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    while (this.#size >= headBytes) {
      const first = this.#gather(headBytes);
      const length = first.readUInt32BE(0);
      if (length < 1 || length > maxFrameBytes) throw new Error(`a frame of ${length} bytes`);
      if (this.#size < 4 + length) return;
      const frame = this.#take(4 + length);
      if (frame[4] === jsonKind) this.#listener.json(JSON.parse(frame.toString('utf8', headBytes)));
      else if (frame[4] === bytesKind)
        this.#listener.bytes(frame.readUInt32BE(headBytes), frame.subarray(bytesHeadBytes));
      else throw new Error(`a frame of kind ${frame[4]}`);
    }
  }

  /** Makes the first `size` bytes contiguous without taking them. */
  #gather(size: number): Buffer {
    const first = this.#chunks[0];
    if (first !== undefined && first.length >= size) return first;
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }

  #take(size: number): Buffer {
    const first = this.#gather(size);
    this.#size -= size;
    if (first.length === size) this.#chunks.shift();
    else this.#chunks[0] = first.subarray(size);
    return first.subarray(0, size);
  }
}
