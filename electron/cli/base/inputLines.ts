import { StringDecoder } from 'node:string_decoder';

/** One line without its line feed, or the word that it was too long to be held. */
export type InputLine = { readonly text: string } | { readonly tooLong: true };

/** No text that is sent to the program by a person or a test is longer; a pipe without line feeds may be endless. */
const maxLineChars = 64 * 1024 * 1024;

/**
 * The lines of a stream as they come, the last one also without its line feed. Only LF ends a line: JSON texts may hold
 * U+2028. A line over `maxChars` is dropped as it comes and told in its place.
 */
export async function* inputLines(
  input: AsyncIterable<Buffer | string>,
  maxChars: number = maxLineChars,
): AsyncGenerator<InputLine> {
  const decoder = new StringDecoder('utf8');
  let parts: string[] = [];
  let length = 0;
  const add = (part: string): void => {
    length += part.length;
    if (length <= maxChars) parts.push(part);
    else parts = [];
  };
  const take = (): InputLine => {
    const line: InputLine = length > maxChars ? { tooLong: true } : { text: parts.join('') };
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of input) {
    const text = typeof chunk === 'string' ? chunk : decoder.write(chunk);
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      add(text.slice(start, end));
      yield take();
      start = end + 1;
    }
    add(text.slice(start));
  }
  add(decoder.end());
  if (length > 0) yield take();
}
