import type { PatchChunk } from './patch.ts';
import type { Placed, PlaceFailure, Placement } from './placeHunks.ts';

/**
 * Puts the chunks of a `*** Begin Patch` envelope into a file given as lines with their ends: each is looked for behind the
 * one before it, exactly, then without blanks at line ends, then without blanks around, then with typographic characters
 * read as plain ones. `fuzz` tells which of these (0 to 3). Lines that are kept stay the file's own. Behind an `@@` line the
 * first place counts; where that line, or a chunk without one, stands more than once, nothing decides and nothing is done.
 */
export function placeChunks(file: readonly string[], chunks: readonly PatchChunk[], eol: string): Placed {
  const texts = file.map((line) => line.replace(/(?:\r\n|\n|\r)$/, ''));
  const result: string[] = [];
  const placements: Placement[] = [];
  const failures: PlaceFailure[] = [];
  let taken = 0;
  for (const [index, chunk] of chunks.entries()) {
    const places = findChunk(texts, chunk, taken);
    const [found] = places;
    if (!found || places.length > 1) {
      failures.push(failureOf(texts, chunk, index, taken, places));
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

/** The places where a chunk may go: none, one, or some of those between which nothing decides. */
function findChunk(texts: readonly string[], chunk: PatchChunk, from: number): readonly FoundChunk[] {
  const [first, ...inner] = chunk.anchors;
  if (first === undefined) return behind(texts, chunk, from, false);
  const found = new Map<number, FoundChunk>();
  for (const anchor of findLines(texts, [first], from, false).places) {
    const start = inner.reduce<number | undefined>((at, line) => {
      const next = at === undefined ? undefined : findLines(texts, [line], at, false).places[0];
      return next === undefined ? undefined : next + 1;
    }, anchor + 1);
    const [place] = start === undefined ? [] : behind(texts, chunk, start, true);
    if (place) found.set(place.at, place);
  }
  return [...found.values()];
}

function behind(
  texts: readonly string[],
  chunk: PatchChunk,
  start: number,
  isAnchored: boolean,
): readonly FoundChunk[] {
  const old = oldLines(chunk.lines);
  if (old.length === 0) return [{ at: isAnchored ? start : texts.length, fuzz: 0, lines: chunk.lines }];
  const found = findLines(texts, old, start, chunk.atEnd);
  if (found.places.length > 0) return found.places.map((at) => ({ at, fuzz: found.fuzz, lines: chunk.lines }));
  // Models often end a chunk with an empty line that is not in the file.
  if (chunk.lines.at(-1) !== ' ' || old.length === 1) return [];
  const shorter = findLines(texts, old.slice(0, -1), start, chunk.atEnd);
  return shorter.places.map((at) => ({ at, fuzz: shorter.fuzz, lines: chunk.lines.slice(0, -1) }));
}

function oldLines(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => !line.startsWith('+')).map((line) => line.slice(1));
}

/** Places shown in an answer, and of an anchor tried at all. */
const maxPlaces = 10;

/** In the first reading that fits anywhere: the place at the end when it is asked for, else the places in order. */
function findLines(
  texts: readonly string[],
  wanted: readonly string[],
  from: number,
  atEnd: boolean,
): { readonly places: readonly number[]; readonly fuzz: number } {
  for (const [fuzz, read] of readings.entries()) {
    const target = wanted.map(read);
    const matches = (at: number) => target.every((line, offset) => read(texts[at + offset] ?? '') === line);
    const last = texts.length - wanted.length;
    if (atEnd && last >= from && matches(last)) return { places: [last], fuzz };
    const places: number[] = [];
    for (let at = from; at <= last && places.length < maxPlaces; at += 1) if (matches(at)) places.push(at);
    if (places.length > 0) return { places, fuzz };
  }
  return { places: [], fuzz: 0 };
}

function failureOf(
  texts: readonly string[],
  chunk: PatchChunk,
  hunk: number,
  from: number,
  places: readonly FoundChunk[],
): PlaceFailure {
  const proposed = chunk.lines.filter((line) => !line.startsWith('-')).map((line) => line.slice(1));
  const isApplied = proposed.length > 0 && findLines(texts, proposed, 0, false).places.length > 0;
  const clip = (lines: readonly string[]) => lines.slice(0, 40).join('\n').slice(0, 4000);
  return {
    hunk,
    reason: places.length > 1 ? 'ambiguous' : isApplied ? 'already-applied' : 'not-found',
    ...(places.length > 1 ? { candidates: places.map(({ at }) => at + 1) } : {}),
    expected: clip([...chunk.anchors, ...oldLines(chunk.lines)]),
    actual: clip(texts.slice(from, from + Math.max(1, chunk.lines.length))),
  };
}
