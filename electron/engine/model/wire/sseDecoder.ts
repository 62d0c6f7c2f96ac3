/** A single event may not be longer than this (characters): a server that never ends a line must not fill the memory. */
const maxEventChars = 32 * 1024 * 1024;

export type SseListener = (data: string, event: string) => void;

/**
 * Reads server-sent events (WHATWG HTML, 9.2.6) from text in pieces of any size. Differences, all towards tolerance:
 * an event that the end of the stream cuts off before its blank line is still delivered, and `tooLong` is set instead
 * of gathering without end. CR, LF and CRLF end lines; comments, `id` and `retry` are skipped.
 */
export class SseDecoder {
  #parts: string[] = [];
  #partsChars = 0;
  #data: string[] = [];
  #dataChars = 0;
  #event = '';
  #afterCr = false;
  tooLong = false;
  readonly #listen: SseListener;

  constructor(listen: SseListener) {
    this.#listen = listen;
  }

  push(text: string): void {
    let start = 0;
    if (this.#afterCr && text.length > 0) {
      this.#afterCr = false;
      if (text.charCodeAt(0) === 10) start = 1;
    }
    // Almost every stream ends its lines with LF alone: then only one search is needed per line.
    let cr = text.indexOf('\r', start);
    for (;;) {
      const lf = text.indexOf('\n', start);
      if (cr !== -1 && cr < start) cr = text.indexOf('\r', start);
      const end = cr !== -1 && (lf === -1 || cr < lf) ? cr : lf;
      if (end === -1) break;
      this.#line(this.#partsChars === 0 ? text.slice(start, end) : this.#joined(text.slice(start, end)));
      start = end + 1;
      if (end === cr) {
        if (start === text.length) this.#afterCr = true;
        else if (text.charCodeAt(start) === 10) start += 1;
      }
    }
    if (start < text.length) {
      this.#partsChars += text.length - start;
      if (this.#partsChars + this.#dataChars > maxEventChars) this.tooLong = true;
      else this.#parts.push(start === 0 ? text : text.slice(start));
    }
  }

  /** The stream is over: delivers what no blank line closed. */
  end(): void {
    if (this.#partsChars > 0) this.#line(this.#joined(''));
    this.#dispatch();
  }

  #joined(rest: string): string {
    const line = this.#parts.join('') + rest;
    this.#parts = [];
    this.#partsChars = 0;
    return line;
  }

  #line(line: string): void {
    if (line === '') {
      this.#dispatch();
      return;
    }
    if (line.startsWith('data:')) {
      const data = line.slice(line.charCodeAt(5) === 32 ? 6 : 5);
      this.#dataChars += data.length;
      if (this.#dataChars > maxEventChars) this.tooLong = true;
      else this.#data.push(data);
    } else if (line.startsWith('event:')) this.#event = line.slice(6).trim();
    else if (line === 'data') this.#data.push('');
  }

  #dispatch(): void {
    if (this.#data.length > 0) {
      const data = this.#data;
      this.#data = [];
      this.#dataChars = 0;
      this.#listen(data.length === 1 ? (data[0] ?? '') : data.join('\n'), this.#event);
    }
    this.#event = '';
  }
}
