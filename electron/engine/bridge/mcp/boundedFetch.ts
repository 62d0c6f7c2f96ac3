import { maxJsonDepth } from '../../base/boundedJson.ts';

/** As over the pipes of a child. */
export const maxMessageBytes = 10 * 1024 * 1024;

const [newLine, carriageReturn, backslash, quote] = [10, 13, 92, 34];
const opening: ReadonlySet<number> = new Set(['{', '['].map((char) => char.charCodeAt(0)));
const closing: ReadonlySet<number> = new Set(['}', ']'].map((char) => char.charCodeAt(0)));

/**
 * `fetch` for a server that may send anything: a message (a body, or one event of a stream) that is too large or nested too deeply
 * ends the stream before it is parsed or kept, also when it was small before it was unpacked. `onExcess` hears why: whoever waits for
 * an answer must not wait on.
 */
export function boundedFetch(onExcess: (why: string) => void): typeof fetch {
  return async (address, options) => {
    const response = await fetch(address, options);
    const type = response.headers.get('content-type') ?? '';
    if (response.body === null) return response;
    const meter = messageMeter(type.includes('event-stream'));
    const bounded = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        const excess = meter(chunk);
        if (excess === undefined) return controller.enqueue(chunk);
        onExcess(excess);
        controller.error(new Error(excess));
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(bounded), { status, statusText, headers });
  };
}

/** Follows messages byte by byte; says what is too much. */
function messageMeter(hasEvents: boolean): (chunk: Uint8Array) => string | undefined {
  let bytes = 0;
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  let lastLineEmpty = false;
  return (chunk) => {
    for (const byte of chunk) {
      bytes += 1;
      if (bytes > maxMessageBytes) return `The server sent a message over ${maxMessageBytes / 1024 / 1024} MiB`;
      if (hasEvents && byte === newLine) {
        // An empty line ends an event; what is open in it ends with it.
        if (lastLineEmpty) [bytes, depth, inString] = [0, 0, false];
        lastLineEmpty = true;
      } else if (byte !== carriageReturn) lastLineEmpty = false;
      if (inString) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) inString = false;
      } else if (byte === quote) inString = true;
      else if (opening.has(byte)) depth += 1;
      else if (closing.has(byte)) depth -= 1;
      if (depth > maxJsonDepth) return `The server sent a message nested deeper than ${maxJsonDepth}`;
    }
    return undefined;
  };
}
