import { type FileHandle, open } from 'node:fs/promises';
import { errnoOf } from '../base/log.ts';
import type { CommandOutput, LogSlice } from './executor.ts';
import type { StreamName } from './host/outputStore.ts';
import type { Exit, StreamState } from './host/protocol.ts';
import { PlainText, plainText } from './plainText.ts';
import { codePoints, type StreamText, truncateOutput } from './truncate.ts';

const pieceBytes = 256 * 1024;
/** Kept of each stream; what comes after is only counted. */
export const maxCaptureBytes = 10 * 1024 * 1024;

/** Both streams as plain text cut to `limit` code points (0 = no limit). Without an exit: what was written so far. */
export async function readOutput(base: string, exit: Exit | undefined, limit: number): Promise<CommandOutput> {
  const stdout = await readStream(base, 'stdout', exit?.stdout, limit);
  const stderr = await readStream(base, 'stderr', exit?.stderr, limit);
  return { ...truncateOutput(stdout, stderr, limit), stdoutChars: stdout.totalChars, stderrChars: stderr.totalChars };
}

/**
 * The beginning of one stream, at least `limit` code points of it when there are as many (0: all that was kept). The bytes of
 * a character that is yet to be completed are no text of a stream that `grows`.
 */
export async function readStream(
  base: string,
  stream: StreamName,
  state: StreamState | undefined,
  limit: number,
  grows = state === undefined,
): Promise<StreamText> {
  if (state?.whole !== undefined) {
    const text = plainText(Buffer.from(state.whole, 'base64').toString('utf8'));
    return { text, totalChars: codePoints(text) };
  }
  const read = (suffix: string): Promise<StreamText | undefined> => readFile(base + suffix, state, limit, grows);
  if (stream === 'stderr') return (await read('.err')) ?? nothing(state);
  const apart = await read('.out');
  if (apart !== undefined) return apart;
  // All of the log is stdout, unless stderr came while it was read.
  const log = await read('.log');
  return (await read('.out')) ?? log ?? nothing(state);
}

function nothing(state: StreamState | undefined): StreamText {
  return { text: '', totalChars: state?.chars ?? 0 };
}

/** Undefined when there is no such file. */
async function readFile(
  path: string,
  state: StreamState | undefined,
  limit: number,
  grows: boolean,
): Promise<StreamText | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return await readPlain(file, state, limit, grows);
  } finally {
    await file.close();
  }
}

/** A part of a log as plain text; a character that is cut at the end is left for the next part. */
export async function readLog(path: string, offset: number, maxBytes: number): Promise<LogSlice> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { text: '', nextOffset: 0, sizeBytes: 0, path };
    throw error;
  }
  try {
    const { size } = await file.stat();
    const start = Math.min(offset, size);
    const length = Math.min(maxBytes, size - start);
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, start);
    const end = start + bytesRead < size ? wholeCharacters(buffer.subarray(0, bytesRead)) : bytesRead;
    return { text: plainText(buffer.toString('utf8', 0, end)), nextOffset: start + end, sizeBytes: size, path };
  } finally {
    await file.close();
  }
}

/** Length without a character at the end that is not complete. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back && bytes.length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

async function readPlain(
  file: FileHandle,
  state: StreamState | undefined,
  limit: number,
  grows: boolean,
): Promise<StreamText> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true }); // a mark of the byte order is a part of what was written
  const plain = new PlainText();
  const piece = Buffer.allocUnsafe(pieceBytes);
  let read = 0;
  for (;;) {
    const { bytesRead } = await file.read(piece, 0, Math.min(piece.length, maxCaptureBytes - read), read);
    read += bytesRead;
    if (bytesRead === 0) break;
    plain.write(decoder.decode(piece.subarray(0, bytesRead), { stream: true }));
    // Two units a code point at most: past this no later output changes what is kept.
    if (limit > 0 && plain.settledLength > limit * 2) break;
  }
  const size = Math.min((await file.stat()).size, maxCaptureBytes);
  const complete = read >= size && read >= (state?.bytes ?? size) && size < maxCaptureBytes;
  if (read >= size && !grows) plain.write(decoder.decode());
  const text = plain.text().toWellFormed();
  const chars = codePoints(text);
  return { text, totalChars: complete ? chars : Math.max(state?.chars ?? 0, chars + 1) };
}
