export interface DiffHunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** What git prints behind the second `@@`. */
  readonly header: string;
  /** With their first character: blank, `+`, `-` or `\`. */
  readonly lines: readonly string[];
}

export interface DiffFile {
  readonly path: string;
  readonly oldPath?: string;
  readonly status: 'added' | 'deleted' | 'modified' | 'renamed' | 'copied' | 'type-changed' | 'conflicted';
  readonly binary: boolean;
  readonly additions: number;
  readonly deletions: number;
  readonly hunks: readonly DiffHunk[];
}

const words: Readonly<Record<string, DiffFile['status']>> = {
  A: 'added',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
  C: 'copied',
  T: 'type-changed',
  U: 'conflicted',
};

interface RawEntry {
  readonly letter: string;
  readonly path: string;
  readonly oldPath?: string;
  /** Of a file in conflict: its changes against our side follow. */
  readonly againstOurs?: boolean;
}

/**
 * Reads `git diff --ours --patch-with-raw -z`: names and kinds come from the raw part, where they are exact, the hunks from the
 * patch, whose sections are in the same order. `patch` is the patch alone. A file of which `leaveOut` says so is in neither.
 */
export function parseDiff(
  output: string,
  leaveOut: (path: string) => boolean = () => false,
): { readonly files: readonly DiffFile[]; readonly patch: string } {
  const { entries, end } = rawEntries(output);
  const patch = output.slice(end);
  const sections = patch.split(/^(?=diff --(?:git|cc|combined) |\* Unmerged path )/m).filter((section) => section);
  let at = 0;
  const shown: string[] = [];
  const described = (
    name: Pick<DiffFile, 'path' | 'oldPath' | 'status'>,
    own: readonly string[],
    isLeftOut: boolean,
  ): DiffFile | undefined => {
    if (isLeftOut) return undefined;
    shown.push(...own);
    const hunks = own.flatMap(hunksOf);
    const counted = (sign: string) =>
      hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0);
    const binary = own.some((section) => /^(?:Binary files .* differ|GIT binary patch)$/m.test(beforeHunks(section)));
    return { ...name, binary, additions: counted('+'), deletions: counted('-'), hunks };
  };
  const fileOf = ({ letter, path, oldPath, againstOurs }: RawEntry): DiffFile | undefined => {
    const status = words[letter] ?? 'modified';
    const name = { path, oldPath, status };
    const isPlain = (section: string | undefined) => section?.startsWith('diff --git ') === true;
    // Both names are asked, so that both are counted.
    const isLeftOut = [path, oldPath].filter((one) => one !== undefined && leaveOut(one)).length > 0;
    if (letter === 'U') {
      const start = at;
      if (sections[at] !== undefined && !isPlain(sections[at])) at += 1;
      // A file that is as our side has it is listed all the same, without a section.
      if (againstOurs === true && isPlain(sections[at]) && isOf(sections[at], path)) at += 1;
      return described(name, sections.slice(start, at), isLeftOut);
    }
    // A file that became a link, or the reverse, is shown as one deletion and one addition.
    const count = letter === 'T' ? 2 : 1;
    const own = sections.slice(at, at + count);
    at += own.length;
    return described(name, own, isLeftOut);
  };
  const files = entries.flatMap((entry) => fileOf(entry) ?? []);
  // What belongs to no file that is listed is a warning of git's, and is kept only where nothing is left out.
  const isWhole = files.length === entries.length;
  return { files, patch: isWhole ? patch : shown.join('') };
}

/** `:oldmode newmode old new LETTER[score]` NUL path NUL [path NUL] …, then one more NUL before the patch. */
function rawEntries(output: string): { readonly entries: readonly RawEntry[]; readonly end: number } {
  const entries: RawEntry[] = [];
  let at = 0;
  const next = (): string => {
    const stop = output.indexOf('\0', at);
    const field = output.slice(at, stop === -1 ? output.length : stop);
    at = stop === -1 ? output.length : stop + 1;
    return field;
  };
  while (output.charAt(at) === ':') {
    // Two colons and two letters: a file compared with both sides of a merge, which is to say in conflict.
    const isCombined = output.charAt(at + 1) === ':';
    const shown = /([A-Z])\d*$/.exec(next())?.[1] ?? 'M';
    const letter = isCombined ? 'U' : shown;
    const first = next();
    const isPair = letter === 'R' || letter === 'C';
    entries.push(isPair ? { letter, path: next(), oldPath: first } : { letter, path: first });
  }
  if (output.charAt(at) === '\0') at += 1;
  return { entries: withoutDoubles(entries), end: at };
}

/** `git diff` lists an unmerged file twice: as unmerged, and against our side. */
function withoutDoubles(entries: readonly RawEntry[]): readonly RawEntry[] {
  const unmerged = new Set(entries.filter(({ letter }) => letter === 'U').map(({ path }) => path));
  const doubled = new Set(
    entries.filter(({ letter, path }) => letter !== 'U' && unmerged.has(path)).map(({ path }) => path),
  );
  return entries
    .filter(({ letter, path }) => letter === 'U' || !unmerged.has(path))
    .map((entry) => (entry.letter === 'U' && doubled.has(entry.path) ? { ...entry, againstOurs: true } : entry));
}

/** Whether a section is of this file; git writes an odd name in quotes, and then the order tells. */
function isOf(section: string | undefined, path: string): boolean {
  return (
    section?.startsWith(`diff --git a/${path} b/${path}\n`) === true || section?.startsWith('diff --git "') === true
  );
}

function beforeHunks(section: string): string {
  const start = section.search(/^@@ /m);
  return start === -1 ? section : section.slice(0, start);
}

function hunksOf(section: string): readonly DiffHunk[] {
  const hunks: { head: Omit<DiffHunk, 'lines'>; lines: string[] }[] = [];
  const start = section.search(/^@@ /m);
  if (start === -1) return [];
  const lines = section.slice(start).split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) {
    const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/s.exec(line);
    if (head) {
      const [, oldStart, oldLines = '1', newStart, newLines = '1', header = ''] = head;
      const counts = { oldLines: Number(oldLines), newLines: Number(newLines), header };
      hunks.push({ head: { oldStart: Number(oldStart), newStart: Number(newStart), ...counts }, lines: [] });
    } else hunks.at(-1)?.lines.push(line);
  }
  return hunks.map(({ head, lines: own }) => ({ ...head, lines: own }));
}
