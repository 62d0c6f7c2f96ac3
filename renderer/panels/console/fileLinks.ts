/** A place in a file as a program's output names it. Offsets are those of the text; lines and columns count from 1. */
export interface FileLink {
  readonly from: number;
  readonly to: number;
  /** As written, without `file://`. */
  readonly path: string;
  readonly line: number;
  readonly column?: number | undefined;
}

/** More than a line of output sensibly names. */
const mostLinks = 20;
/** Characters of a line that are looked at: a log may be one line of megabytes. */
const longestLine = 4000;

const path = String.raw`(?:file:\/\/\/?(?=[A-Za-z]:)|file:\/\/)?(?:(?<![A-Za-z])[A-Za-z]:[\\/])?[^\s"'${'`'}()<>[\]{}|:*?=,;│]+`;

/** The ways in which tools write a place; the first that fits a stretch of text has it. */
const shapes: readonly RegExp[] = [
  // Python: File "x y.py", line 3
  /File "(?<path>[^"\n]+)", line (?<line>\d+)/dg,
  // at fn (file:1:2); in brackets a path may hold blanks
  /\((?<path>(?:file:\/\/)?[^()\n]*?[^()\s:]):(?<line>\d+):(?<column>\d+)\)/dg,
  // file(12,3): TypeScript, MSVC
  new RegExp(String.raw`(?<path>${path})\((?<line>\d+)(?:,(?<column>\d+))?\)`, 'dg'),
  // file:12:3 and file:12
  new RegExp(String.raw`(?<path>${path}):(?<line>\d+)(?::(?<column>\d+))?`, 'dg'),
];

/** The places of files that a line of output names, in their order. Whether there are such files is asked elsewhere. */
export function fileLinksIn(line: string): readonly FileLink[] {
  const text = line.slice(0, longestLine);
  const found: FileLink[] = [];
  for (const shape of shapes)
    for (const match of text.matchAll(shape)) {
      const { path: written = '', line: number = '', column } = match.groups ?? {};
      const at = match.indices?.groups?.['path']?.[0] ?? match.index;
      const to = match.indices?.groups?.[column === undefined ? 'line' : 'column']?.[1] ?? at;
      const isTaken = found.some((link) => at < link.to && link.from < to);
      if (isTaken || !isPath(written, text[at - 1])) continue;
      found.push({
        from: at,
        to,
        path: written.replace(/^file:\/\/(?:\/(?=[A-Za-z]:))?/, ''),
        line: Number(number),
        column: column === undefined ? undefined : Number(column),
      });
    }
  return found.toSorted((a, b) => a.from - b.from).slice(0, mostLinks);
}

/** Neither a number (a time of day, a port) nor the rest of an address. */
function isPath(written: string, before: string | undefined): boolean {
  if (/^\d+$/.test(written) || before === ':') return false;
  return !written.startsWith('//') && !/^(?!file:)[a-z][a-z+.-]+:\/\//i.test(written);
}
