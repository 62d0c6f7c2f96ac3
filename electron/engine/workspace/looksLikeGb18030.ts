import { createRequire } from 'node:module';

/** What chardet makes of the bytes; null where it has no idea. */
interface Detector {
  detect(bytes: Uint8Array): { readonly encoding: string | null };
}

let detector: Detector | undefined;

/** Enough lines to tell a language by; the time grows with them (6 ms). */
const sampleBytes = 2_000;

/**
 * Whether bytes that would be valid GB 18030 are Chinese. Every umlaut of Latin-1 with a letter behind it is a valid character
 * of GB 18030 too, so a well-kept detector is asked about the lines that are not ASCII: `doubt` where it names one of the
 * other encodings with characters of several bytes. The package is loaded with the first such file (120 ms).
 */
export function looksLikeGb18030(bytes: Uint8Array): 'yes' | 'no' | 'doubt' {
  detector ??= createRequire(import.meta.url)('jschardet') as Detector; // its declared shape
  const name = detector.detect(sampleOf(bytes)).encoding ?? '';
  if (/^(?:gb|hz)/i.test(name)) return 'yes';
  return /^(?:cp9(?:32|49|50)|shift|euc|big5|johab|iso-2022|utf)/i.test(name) ? 'doubt' : 'no';
}

/** The first lines that hold anything but ASCII. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const lines: Uint8Array[] = [];
  let room = sampleBytes;
  for (let at = 0; at < bytes.length && room > 0; at += 1) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    const start = bytes.lastIndexOf(10, at) + 1;
    const end = bytes.indexOf(10, at);
    const line = bytes.subarray(Math.max(start, at - room), end === -1 ? undefined : end + 1).subarray(0, room);
    lines.push(line);
    room -= line.length;
    if (end === -1) break;
    at = end;
  }
  return Buffer.concat(lines);
}
