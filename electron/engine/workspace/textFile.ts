import { createHash } from 'node:crypto';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { encodeGb18030 } from './gb18030.ts';
import { looksLikeGb18030 } from './looksLikeGb18030.ts';

/** `unknown`: some other one; its bytes are shown as Latin-1 shows them, and nothing new is written into such a file. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030' | 'latin-1' | 'unknown';
export type Eol = '\n' | '\r\n' | '\r';

/** How a text was written down: what an edit must keep. */
export interface TextStyle {
  readonly encoding: Encoding;
  readonly bom: boolean;
  /** The line end used most; `\n` when there is none. */
  readonly eol: Eol;
}

/** A file whose bytes are text. `text` has every line end as it stands in the file, and no byte order mark. */
export interface TextFile extends TextStyle {
  readonly text: string;
  /** SHA-256 (hex) of the bytes. */
  readonly hash: string;
  readonly sizeBytes: number;
  /** Permission bits only (0o7777). */
  readonly mode: number;
  /** ISO 8601. */
  readonly modifiedAt: string;
}

/** A file as bytes, whatever they mean. */
export interface BytesFile {
  readonly bytes: Uint8Array;
  readonly hash: string;
  readonly sizeBytes: number;
  readonly mode: number;
  readonly modifiedAt: string;
}

/** Files that are read whole end here. */
export const maxFileBytes = 10 * 1024 * 1024;

/** A NUL byte in this many leading bytes makes a file binary: the window git uses (buffer_is_binary). */
export const binaryWindowBytes = 8000;

export const plainStyle: TextStyle = { encoding: 'utf-8', bom: false, eol: '\n' };

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The byte order mark that opens these bytes, if any. */
export function byteOrderMark(bytes: Uint8Array): { readonly encoding: Encoding; readonly length: number } | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { encoding: 'utf-8', length: 3 };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', length: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', length: 2 };
  return undefined;
}

/** Binary by git's rule, except that UTF-16 with its mark is text although it is full of NUL bytes. */
export function looksBinary(bytes: Uint8Array): boolean {
  const mark = byteOrderMark(bytes);
  if (mark && mark.encoding !== 'utf-8' && decodeUtf16(bytes.subarray(mark.length), mark.encoding) !== undefined)
    return false;
  return bytes.subarray(0, binaryWindowBytes).includes(0);
}

/**
 * UTF-8, else UTF-16 with its mark, else GB 18030 where the text is Chinese, else Latin-1 or `unknown`; always one that gives the
 * same bytes back. Error: BINARY_FILE.
 */
export function decodeText(bytes: Uint8Array): Result<TextStyle & { readonly text: string }> {
  const mark = byteOrderMark(bytes);
  if (mark && mark.encoding !== 'utf-8') {
    const text = decodeUtf16(bytes.subarray(mark.length), mark.encoding);
    if (text !== undefined) return ok({ text, encoding: mark.encoding, bom: true, eol: dominantEol(text) });
  }
  if (bytes.subarray(0, binaryWindowBytes).includes(0)) return fail('BINARY_FILE', 'The file is binary, not text');
  const decoded = decodeWithoutNul(bytes, mark?.encoding === 'utf-8');
  return ok({ ...decoded, eol: dominantEol(decoded.text) });
}

/** What is known not to be binary and not UTF-16. */
export function decodeWithoutNul(
  bytes: Uint8Array,
  marked: boolean,
): { readonly text: string; readonly encoding: Encoding; readonly bom: boolean } {
  const utf8 = decodeFatally('utf-8', marked ? bytes.subarray(3) : bytes);
  if (utf8 !== undefined) return { text: utf8, encoding: 'utf-8', bom: marked };
  const gb = decodeFatally('gb18030', bytes);
  const again = gb === undefined ? undefined : encodeGb18030(gb);
  const isChinese = again && Buffer.compare(again, bytes) === 0 ? looksLikeGb18030(bytes) : 'no';
  if (gb !== undefined && isChinese === 'yes') return { text: gb, encoding: 'gb18030', bom: false };
  return { text: textAs('latin-1', bytes), encoding: isChinese === 'doubt' ? 'unknown' : 'latin-1', bom: false };
}

/** The text of a part of a file whose encoding is known. */
export function textAs(encoding: Encoding, bytes: Uint8Array): string {
  return encoding === 'latin-1' || encoding === 'unknown'
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
    : new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
}

function decodeFatally(label: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function decodeUtf16(bytes: Uint8Array, encoding: Encoding): string | undefined {
  return bytes.length % 2 === 0 ? decodeFatally(encoding, bytes) : undefined;
}

/**
 * The bytes of a changed text in the manner of `like`. Error: VALIDATION_ERROR, as for `encodeText` and where the encoding is
 * not certain: what the model read may not be what stands there.
 */
export function encodeChanged(text: string, like: Pick<TextStyle, 'encoding' | 'bom'>): Result<Uint8Array> {
  if (like.encoding !== 'unknown') return encodeText(text, like);
  return fail(
    'VALIDATION_ERROR',
    'It is not certain in which encoding the file is, so nothing is written into it. Convert it to UTF-8 first, as with iconv -f ENCODING -t UTF-8',
  );
}

/**
 * The bytes of `text` in the manner of `like`. Line ends are written as they stand in `text`. Error: VALIDATION_ERROR when
 * the encoding has no such character: the file is then better converted knowingly than damaged silently.
 */
export function encodeText(text: string, like: Pick<TextStyle, 'encoding' | 'bom'>): Result<Uint8Array> {
  if (!text.isWellFormed())
    return fail('VALIDATION_ERROR', 'The text has half of a surrogate pair, which no file can hold');
  const marked = like.bom ? `\ufeff${text}` : text;
  if (like.encoding === 'utf-8') return ok(Buffer.from(marked, 'utf8'));
  if (like.encoding === 'utf-16le') return ok(Buffer.from(marked, 'utf16le'));
  if (like.encoding === 'utf-16be') return ok(Buffer.from(marked, 'utf16le').swap16());
  if (like.encoding === 'gb18030') {
    const bytes = encodeGb18030(text);
    return bytes ? ok(bytes) : cannotWrite(text, like.encoding);
  }
  return /[\u0100-\uffff]/.test(text) ? cannotWrite(text, like.encoding) : ok(Buffer.from(text, 'latin1'));
}

function cannotWrite(text: string, encoding: Encoding) {
  const found = encoding === 'latin-1' ? /[\u0100-\u{10ffff}]/u.exec(text)?.[0] : undefined;
  const what = found === undefined ? 'a character' : `the character "${found}"`;
  return fail(
    'VALIDATION_ERROR',
    `The file is ${encoding}, which cannot hold ${what}. Convert the file to UTF-8 first`,
  );
}

export function dominantEol(text: string): Eol {
  let lf = 0;
  let crlf = 0;
  let cr = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (at > 0 && text.charCodeAt(at - 1) === 13) crlf += 1;
    else lf += 1;
  }
  for (let at = text.indexOf('\r'); at !== -1; at = text.indexOf('\r', at + 1)) {
    if (text.charCodeAt(at + 1) !== 10) cr += 1;
  }
  if (crlf > lf && crlf >= cr) return '\r\n';
  return cr > lf ? '\r' : '\n';
}

export function bytesFileOf(
  bytes: Uint8Array,
  facts: { readonly mode: number; readonly modifiedAt: string },
): BytesFile {
  return { bytes, hash: hashOf(bytes), sizeBytes: bytes.length, ...facts };
}

/** Error: BINARY_FILE. */
export function textFileOf(file: BytesFile): Result<TextFile> {
  const decoded = decodeText(file.bytes);
  if (!decoded.ok) return decoded;
  const { hash, sizeBytes, mode, modifiedAt } = file;
  return ok({ ...decoded.value, hash, sizeBytes, mode, modifiedAt });
}
