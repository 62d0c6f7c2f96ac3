import { diffRuns } from '../../../shared/text/diffRuns.ts';
import { splitLines } from '../../../shared/text/lines.ts';

/**
 * Unified text in git's manner, which `git apply` and `parsePatch` take: null stands for "no such file". The empty text when
 * nothing differs. `context` is the number of lines around each change (default 3).
 */
export function unifiedDiff(
  before: string | null,
  after: string | null,
  names: { readonly path: string; readonly oldPath?: string; readonly context?: number; readonly executable?: boolean },
): string {
  const oldPath = names.oldPath ?? names.path;
  const body = hunkTexts(splitAtNewline(before ?? ''), splitAtNewline(after ?? ''), names.context ?? 3);
  const isRenamed = oldPath !== names.path;
  if (body === '' && before !== null && after !== null && !isRenamed) return '';
  const mode = names.executable ? '100755' : '100644';
  const head = [`diff --git ${quoted(`a/${oldPath}`)} ${quoted(`b/${names.path}`)}`];
  if (before === null) head.push(`new file mode ${mode}`);
  if (after === null) head.push(`deleted file mode ${mode}`);
  if (isRenamed) head.push(`rename from ${quoted(oldPath)}`, `rename to ${quoted(names.path)}`);
  if (body !== '') {
    head.push(`--- ${before === null ? '/dev/null' : headerName(`a/${oldPath}`)}`);
    head.push(`+++ ${after === null ? '/dev/null' : headerName(`b/${names.path}`)}`);
  }
  return `${head.join('\n')}\n${body}`;
}

/** Patches know only `\n`: a text that uses `\r` alone is one line to them. */
function splitAtNewline(text: string): readonly string[] {
  return text.includes('\n') || !text.includes('\r') ? splitLines(text) : [text];
}

function hunkTexts(old: readonly string[], proposed: readonly string[], context: number): string {
  const runs = diffRuns(old, proposed);
  const out: string[] = [];
  for (let index = 0; index < runs.length; ) {
    let last = index;
    while (last + 1 < runs.length && (runs[last + 1]?.aStart ?? 0) - (runs[last]?.aEnd ?? 0) <= 2 * context) last += 1;
    const group = runs.slice(index, last + 1);
    index = last + 1;
    const [first, end] = [group[0], group.at(-1)];
    if (!first || !end) break;
    const lead = Math.min(context, first.aStart);
    const trail = Math.min(context, old.length - end.aEnd);
    const aStart = first.aStart - lead;
    const bStart = first.bStart - lead;
    out.push(`@@ -${span(aStart, end.aEnd + trail)} +${span(bStart, end.bEnd + trail)} @@\n`);
    let from = aStart;
    for (const run of group) {
      for (const line of old.slice(from, run.aStart)) out.push(patchLine(' ', line));
      for (const line of old.slice(run.aStart, run.aEnd)) out.push(patchLine('-', line));
      for (const line of proposed.slice(run.bStart, run.bEnd)) out.push(patchLine('+', line));
      from = run.aEnd;
    }
    for (const line of old.slice(from, end.aEnd + trail)) out.push(patchLine(' ', line));
  }
  return out.join('');
}

function span(start: number, end: number): string {
  const count = end - start;
  return count === 1 ? `${start + 1}` : `${count === 0 ? start : start + 1},${count}`;
}

function patchLine(sign: string, line: string): string {
  return line.endsWith('\n') ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`;
}

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '"': '\\"', '\\': '\\\\' };

/** Names with control characters, quotes or backslashes are written as C strings (git's core.quotePath=false). */
function quoted(name: string): string {
  if (!/["\\\p{Cc}]/u.test(name)) return name;
  const inner = name.replace(
    /["\\\p{Cc}]/gu,
    (character) => escapes[character] ?? `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return `"${inner}"`;
}

/** A tab ends a name that has blanks, so that no reader takes the rest for a date. */
function headerName(name: string): string {
  const written = quoted(name);
  return written === name && name.includes(' ') ? `${name}\t` : written;
}
