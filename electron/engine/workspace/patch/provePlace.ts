import type { PatchHunk } from './patch.ts';

/** The one place that a file proves for a hunk which cannot be taken as written. */
export interface ProvenPlace {
  readonly ok: true;
  /** 0-based. */
  readonly at: number;
  /** What was read otherwise than written, for people. */
  readonly note: string;
  /** Moves a new line in or out as the file's lines at that place stand. */
  readonly indent: (line: string) => string;
}

export interface Unproven {
  readonly ok: false;
  /** 1-based lines of the places that fit, when there are several. */
  readonly candidates: readonly number[];
  readonly why?: string;
}

export interface Prover {
  /** `isApplied` tells whether the new lines are there already: then no looser reading of the old ones counts. */
  prove(hunk: PatchHunk, from: number, isApplied: () => boolean): ProvenPlace | Unproven;
}

/** Places shown in an answer; a hunk that fits in more is no better known by a longer list. */
const maxCandidates = 10;
/** Lines compared for all hunks of a file together (J5). */
const maxComparisons = 20_000_000;

interface Line {
  readonly sign: string;
  readonly texts: readonly string[];
}

type Indent = (line: string) => string;
const asWritten: Indent = (line) => line;

/** `keys` are the lines of the file with `\n` for any line end. */
export function createProver(keys: readonly string[]): Prover {
  let left = maxComparisons;
  let texts: readonly string[] | undefined;
  let places: ReadonlyMap<string, readonly number[]> | undefined;
  const lines = () => (texts ??= keys.map((key) => (key.endsWith('\n') ? key.slice(0, -1) : key)));
  const placesOf = (text: string) => (places ??= placesByText(lines())).get(text.trim()) ?? [];
  const lacksEnd = keys.length > 0 && !(keys.at(-1) ?? '').endsWith('\n');

  const endsFit = (hunk: PatchHunk, end: number): boolean => {
    if (end < keys.length) return !hunk.oldNoEol && !hunk.newNoEol;
    const saysNothing = !hunk.oldNoEol && !hunk.newNoEol;
    return hunk.oldNoEol === lacksEnd || (hunk.doubt !== undefined && saysNothing);
  };

  /** Where all old lines stand in this reading, at most one more than are shown; undefined when it is too much to look. */
  const search = (hunk: PatchHunk, old: readonly Line[], from: number, reading: Reading) => {
    const found: { readonly at: number; readonly indent: Indent }[] = [];
    let rarest = 0;
    for (const [index, line] of old.entries())
      if (placesOf(line.texts[0] ?? '').length < placesOf(old[rarest]?.texts[0] ?? '').length) rarest = index;
    for (const place of placesOf(old[rarest]?.texts[0] ?? '')) {
      const at = place - rarest;
      if (at < from || at + old.length > keys.length || !endsFit(hunk, at + old.length)) continue;
      left -= old.length;
      if (left < 0) return undefined;
      const indent = reading.fits(lines(), at, old);
      if (indent) found.push({ at, indent });
      if (found.length > maxCandidates) break;
    }
    return found;
  };

  const narrowed = <T extends { readonly at: number }>(hunk: PatchHunk, found: readonly T[], size: number) => {
    if (found.length < 2 || !hunk.doubt) return found;
    const tail = hunk.doubt.tail.map((line) => line.slice(1).trimEnd());
    const followed = found.filter(({ at }) =>
      tail.every((text, offset) => (lines()[at + size + offset] ?? '').trimEnd() === text),
    );
    const left = tail.length > 0 && followed.length > 0 ? followed : found;
    const anchors = hunk.doubt.anchor === undefined ? [] : anchorsOf(lines(), placesOf, hunk.doubt.anchor);
    if (left.length < 2 || anchors.length !== 1) return left;
    const behind = left.filter(({ at }) => at >= (anchors[0] ?? 0));
    return behind.length > 0 ? behind : left;
  };

  return {
    prove(hunk, from, isApplied) {
      const old = oldLines(hunk);
      if (old.length === 0) return proveInsertion(hunk, from, keys, placesOf);
      if (hunk.doubt && hasUnsureSigns(hunk, placesOf, lines()))
        return {
          ok: false,
          candidates: [],
          why: 'a line begins with + or - in the file as well, so its sign may be content',
        };
      const adds = hunk.lines.some((line) => line.startsWith('+'));
      for (const [looseness, reading] of readings.entries()) {
        if (looseness === 1 && adds && isApplied()) break;
        const all = search(hunk, old, from, reading);
        if (all === undefined) return { ok: false, candidates: [], why: 'there are too many places to look at' };
        const found = narrowed(hunk, all, old.length);
        const [first] = found;
        if (found.length > 1 && first)
          return { ok: false, candidates: found.slice(0, maxCandidates).map(({ at }) => at + 1) };
        if (first) {
          if (hunk.doubt?.endedBy !== undefined && lines()[first.at + old.length] === hunk.doubt.endedBy)
            return { ok: false, candidates: [], why: 'the line that ends it stands there in the file as well' };
          if (mayBeCut(hunk, first.at + old.length === keys.length))
            return { ok: false, candidates: [], why: 'the patch seems to be cut off in this hunk' };
          return { ok: true, ...first, note: noteOf(hunk, reading) };
        }
      }
      return { ok: false, candidates: [] };
    },
  };
}

function placesByText(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const text = line.trim();
    const known = places.get(text);
    if (known) known.push(at);
    else places.set(text, [at]);
  }
  return places;
}

function anchorsOf(
  lines: readonly string[],
  placesOf: (text: string) => readonly number[],
  anchor: string,
): readonly number[] {
  const whole = placesOf(anchor);
  // What git puts behind the numbers is cut at a length.
  return whole.length > 0 || anchor.length < 20
    ? whole
    : lines.flatMap((line, at) => (line.trim().startsWith(anchor) ? [at] : []));
}

/** Nothing is old in it: only an empty file, or the one line that the header names, says where it belongs. */
function proveInsertion(
  hunk: PatchHunk,
  from: number,
  keys: readonly string[],
  placesOf: (text: string) => readonly number[],
): ProvenPlace | Unproven {
  const { doubt } = hunk;
  if (!doubt) return { ok: false, candidates: [] };
  const place = (at: number): ProvenPlace => ({ ok: true, at, note: headerNote, indent: asWritten });
  if (keys.length === 0) return place(0);
  if (doubt.seemsCut) return { ok: false, candidates: [], why: 'the patch seems to be cut off in this hunk' };
  const anchors = doubt.hasNoNumbers && doubt.anchor !== undefined ? placesOf(doubt.anchor) : [];
  if (anchors.length > 1) return { ok: false, candidates: anchors.slice(0, maxCandidates).map((at) => at + 2) };
  const [anchor] = anchors;
  if (anchor !== undefined && anchor + 1 >= from && (keys[anchor] ?? '').endsWith('\n')) return place(anchor + 1);
  return {
    ok: false,
    candidates: [],
    why: 'its header is wrong, and without a line of context nothing says where it belongs',
  };
}

/** A hunk that ends in a change may have lost what followed, unless the file ends there and what is new is complete. */
function mayBeCut(hunk: PatchHunk, isAtEnd: boolean): boolean {
  if (hunk.doubt?.seemsCut !== true) return false;
  return !isAtEnd || !(hunk.lines.at(-1) ?? '').startsWith('+');
}

function oldLines({ lines, doubt }: PatchHunk): readonly Line[] {
  return lines.flatMap((line, index): readonly Line[] => {
    const sign = line[0] ?? '';
    if (sign === '+') return [];
    const text = line.slice(1).replace(/\r$/, '');
    if (sign === '-' || doubt?.unsigned.has(index)) return [{ sign, texts: [text] }];
    // Without its blank an indented line looks as if it stood less far in.
    return [{ sign, texts: text === '' ? [text] : [text, ` ${text}`] }];
  });
}

/** Context that lost its blank and begins with `+` or `-` looks like a change. */
function hasUnsureSigns(
  { lines }: PatchHunk,
  placesOf: (text: string) => readonly number[],
  file: readonly string[],
): boolean {
  const changes = new Set(lines.filter((line) => /^[-+]/.test(line)).map((line) => line.trimEnd()));
  return [...changes].some((whole) => placesOf(whole).some((at) => file[at]?.trimEnd() === whole));
}

interface Reading {
  readonly note: string | undefined;
  /** How new lines are moved when the old ones fit here; undefined when they do not. */
  fits(lines: readonly string[], at: number, old: readonly Line[]): Indent | undefined;
}

const headerNote = 'the header was wrong; placed where its lines stand';

const readings: readonly Reading[] = [
  {
    note: undefined,
    fits: (lines, at, old) =>
      old.every(({ texts }, offset) => texts.includes(lines[at + offset] ?? '')) ? asWritten : undefined,
  },
  {
    note: 'blanks at the ends of lines were ignored',
    fits: (lines, at, old) =>
      old.every(({ texts }, offset) => {
        const line = (lines[at + offset] ?? '').trimEnd();
        return texts.some((text) => text.trimEnd() === line);
      })
        ? asWritten
        : undefined,
  },
  { note: 'moved to the indentation of the file', fits: indentation },
];

/** The old lines stand in the file with the same blanks more, or the same blanks less, in front of each. */
function indentation(lines: readonly string[], at: number, old: readonly Line[]): Indent | undefined {
  let more: string | undefined;
  let less: string | undefined;
  for (const [offset, { texts }] of old.entries()) {
    const line = (lines[at + offset] ?? '').trimEnd();
    const text = (texts[0] ?? '').trimEnd();
    if (line === '' && text === '') continue;
    if (line.trimStart() !== text.trimStart()) return undefined;
    const isDeeper = line.length > text.length;
    const [added, cut] = isDeeper
      ? [line.slice(0, line.length - text.length), '']
      : ['', text.slice(0, text.length - line.length)];
    if (added + text !== cut + line) return undefined;
    more ??= added;
    less ??= cut;
    if (added !== more || cut !== less) return undefined;
  }
  if (more === undefined || less === undefined) return undefined;
  const [front, back] = [more, less];
  return (line) => {
    if (line.trim() === '') return line;
    return line.startsWith(back) ? front + line.slice(back.length) : line;
  };
}

function noteOf({ doubt }: PatchHunk, { note }: Reading): string {
  const lost = !doubt || doubt.unsigned.size > 0 ? 'the blank before context lines was missing' : undefined;
  const notes = [doubt ? headerNote : undefined, note ?? lost];
  return notes.filter((one) => one !== undefined).join('; ');
}
