import type { PatchChunk } from './patch.ts';
import type { Placed, PlaceFailure, Placement } from './placeHunks.ts';

/**
 * Puts the chunks of a `*** Begin Patch` envelope into a file given as lines with their ends: each is looked for behind the
 * one before it, exactly, then without blanks at line ends, then without blanks around, then with typographic characters
 * read as plain ones. `fuzz` tells which of these (0 to 3). Lines that are kept stay the file's own.
 */
export function placeChunks(file: readonly string[], chunks: readonly PatchChunk[], eol: string): Placed {
  const texts = file.map((line) => line.replace(/(?:\r\n|\n|\r)$/, ''));
  const result: string[] = [];
  const placements: Placement[] = [];
  const failures: PlaceFailure[] = [];
  let taken = 0;
  for (const [index, chunk] of chunks.entries()) {
    const found = findChunk(texts, chunk, taken);
    if (!found) {
      failures.push(failureOf(texts, chunk, index, taken));
      continue;
    }
    for (let line = taken; line < found.at; line += 1) result.push(file[line] ?? '');
    placements.push({ index, line: result.length + 1, offset: 0, fuzz: found.fuzz });
    let oldAt = found.at;
    for (const line of found.lines) {
      if (line.startsWith('+')) {
        // Text put behind a last line that has no end.
        const last = result.at(-1);
        if (last !== undefined && !/[\r\n]$/.test(last)) result[result.length - 1] = last + eol;
        result.push(line.slice(1).replace(/\r$/, '') + eol);
      } else {
        if (line.startsWith(' ')) result.push(file[oldAt] ?? '');
        oldAt += 1;
      }
    }
    taken = oldAt;
  }
  for (let line = taken; line < file.length; line += 1) result.push(file[line] ?? '');
  return failures.length > 0 ? { ok: false, failures } : { ok: true, lines: result, placements };
}

interface FoundChunk {
  readonly at: number;
  readonly fuzz: number;
  readonly lines: readonly string[];
}

const typographic: Readonly<Record<string, string>> = {
  '‐': '-',
  '‑': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '―': '-',
  '−': '-',
  '‘': "'",
  '’': "'",
  '‚': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '\u00a0': ' ',
};

const readings: readonly ((line: string) => string)[] = [
  (line) => line.replace(/\r$/, ''),
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => line.trim().replace(/[‐‑‒–—―−‘’‚“”„\u00a0]/g, (character) => typographic[character] ?? character),
];

function findChunk(texts: readonly string[], chunk: PatchChunk, from: number): FoundChunk | undefined {
  let start = from;
  for (const anchor of chunk.anchors) {
    const at = findLines(texts, [anchor], start, false)?.at;
    if (at === undefined) return undefined;
    start = at + 1;
  }
  const old = oldLines(chunk.lines);
  if (old.length === 0) return { at: chunk.anchors.length > 0 ? start : texts.length, fuzz: 0, lines: chunk.lines };
  const found = findLines(texts, old, start, chunk.atEnd);
  if (found) return { ...found, lines: chunk.lines };
  // Models often end a chunk with an empty line that is not in the file.
  if (chunk.lines.at(-1) !== ' ' || old.length === 1) return undefined;
  const shorter = findLines(texts, old.slice(0, -1), start, chunk.atEnd);
  return shorter && { ...shorter, lines: chunk.lines.slice(0, -1) };
}

function oldLines(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => !line.startsWith('+')).map((line) => line.slice(1));
}

function findLines(
  texts: readonly string[],
  wanted: readonly string[],
  from: number,
  atEnd: boolean,
): { readonly at: number; readonly fuzz: number } | undefined {
  for (const [fuzz, read] of readings.entries()) {
    const target = wanted.map(read);
    const matches = (at: number) => target.every((line, offset) => read(texts[at + offset] ?? '') === line);
    const last = texts.length - wanted.length;
    if (atEnd && last >= from && matches(last)) return { at: last, fuzz };
    for (let at = from; at <= last; at += 1) if (matches(at)) return { at, fuzz };
  }
  return undefined;
}

function failureOf(texts: readonly string[], chunk: PatchChunk, hunk: number, from: number): PlaceFailure {
  const proposed = chunk.lines.filter((line) => !line.startsWith('-')).map((line) => line.slice(1));
  const isApplied = proposed.length > 0 && findLines(texts, proposed, 0, false) !== undefined;
  const clip = (lines: readonly string[]) => lines.slice(0, 40).join('\n').slice(0, 4000);
  return {
    hunk,
    reason: isApplied ? 'already-applied' : 'not-found',
    expected: clip([...chunk.anchors, ...oldLines(chunk.lines)]),
    actual: clip(texts.slice(from, from + Math.max(1, chunk.lines.length))),
  };
}
