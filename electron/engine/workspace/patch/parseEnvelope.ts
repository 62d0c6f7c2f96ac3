import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { Patch, PatchChunk, PatchFile } from './patch.ts';

const begin = '*** Begin Patch';
const end = '*** End Patch';

/** The envelope opens before any unified header does. */
export function isEnvelope(lines: readonly string[]): boolean {
  for (const [index, line] of lines.entries()) {
    if (line.trim() === begin) return true;
    if (line.startsWith('diff --git ') || (line.startsWith('--- ') && (lines[index + 1] ?? '').startsWith('+++ ')))
      return false;
  }
  return false;
}

/** `*** Add File`, `*** Delete File`, `*** Update File` with `*** Move to`. Errors: NO_VALID_DIFF, PATCH_FAILED (malformed). */
export function parseEnvelope(lines: readonly string[]): Result<Patch> {
  const first = lines.findIndex((line) => line.trim() === begin);
  const last = lines.findLastIndex((line) => line.trim() === end);
  // A patch without its end was cut off on the way: half of it must not be applied.
  if (last <= first) return malformed(lines.length - 1, `the patch has no "${end}"`);
  const files: PatchFile[] = [];
  let at = first + 1;
  while (at < last) {
    const line = lines[at] ?? '';
    const marker = /^\*\*\* (Add|Delete|Update) File: (.+)$/.exec(line.trim());
    if (!marker) {
      if (line.trim() !== '') return malformed(at, 'expected *** Add File, *** Delete File or *** Update File');
      at += 1;
      continue;
    }
    const [kind, name] = [marker[1] ?? '', marker[2] ?? ''];
    const section =
      kind === 'Add'
        ? addSection(lines, at, last, name)
        : kind === 'Delete'
          ? ok({ file: deleteSection(name, at), next: at + 1 })
          : updateSection(lines, at, last, name);
    if (!section.ok) return section;
    files.push(section.value.file);
    at = section.value.next;
  }
  if (files.length === 0) return fail('NO_VALID_DIFF', 'The patch has no file in it');
  return ok({ format: 'envelope', files });
}

interface Section {
  readonly file: PatchFile;
  readonly next: number;
}

function malformed(line: number, why: string) {
  return fail('PATCH_FAILED', `Line ${line + 1} of the patch: ${why}`, [
    { line: line + 1, reason: 'malformed', message: why },
  ]);
}

function isMarker(line: string): boolean {
  return /^\s*\*\*\* (?:Add|Delete|Update) File: |^\s*\*\*\* (?:Begin|End) Patch\s*$/.test(line);
}

function deleteSection(name: string, at: number): PatchFile {
  return { status: 'deleted', oldPath: name, newPath: null, isBinary: false, hunks: [], line: at + 1, isGit: false };
}

function addSection(lines: readonly string[], start: number, last: number, name: string): Result<Section> {
  const content: string[] = [];
  let at = start + 1;
  for (; at < last && !isMarker(lines[at] ?? ''); at += 1) {
    const line = lines[at] ?? '';
    if (line.startsWith('+')) content.push(line);
    else if (line.trim() !== '') return malformed(at, 'each line of a new file begins with +');
  }
  const chunks = [{ anchors: [], lines: content, atEnd: false }];
  return ok({
    file: {
      status: 'added',
      oldPath: null,
      newPath: name,
      isBinary: false,
      hunks: [],
      chunks,
      line: start + 1,
      isGit: false,
    },
    next: at,
  });
}

function updateSection(lines: readonly string[], start: number, last: number, name: string): Result<Section> {
  let at = start + 1;
  const move = /^\*\*\* Move to: (.+)$/.exec((lines[at] ?? '').trim())?.[1];
  if (move !== undefined) at += 1;
  const chunks: PatchChunk[] = [];
  let anchors: string[] = [];
  let body: string[] = [];
  const close = (atEnd: boolean) => {
    if (body.length > 0) {
      chunks.push({ anchors, lines: body, atEnd });
      anchors = [];
    }
    body = [];
  };
  for (; at < last && !isMarker(lines[at] ?? ''); at += 1) {
    const line = lines[at] ?? '';
    const anchor = /^@@(?: (.*))?$/.exec(line.trimEnd());
    if (anchor) {
      close(false);
      if (anchor[1] !== undefined && anchor[1].trim() !== '') anchors.push(anchor[1]);
    } else if (line.trim() === '*** End of File') close(true);
    else if (/^[-+ ]/.test(line)) body.push(line);
    else if (line === '') body.push(' ');
    else return malformed(at, 'lines of a chunk begin with a blank, + or -');
  }
  // Blank lines between this section and the next are nobody's content.
  while (body.at(-1) === ' ' && lines[at - 1] === '') body.pop();
  close(false);
  const changes = chunks.some((chunk) => chunk.lines.some((line) => !line.startsWith(' ')));
  if (!changes && move === undefined) return malformed(start, `the update of ${name} changes nothing`);
  return ok({
    file: {
      status: move === undefined ? 'modified' : 'renamed',
      oldPath: name,
      newPath: move ?? name,
      isBinary: false,
      hunks: [],
      chunks,
      line: start + 1,
      isGit: false,
    },
    next: at,
  });
}
