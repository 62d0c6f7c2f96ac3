export interface SeatbeltPolicy {
  readonly project: string;
  readonly writable: boolean;
  readonly network: boolean;
  /** What is obeyed outside: not to be written. */
  readonly obeyed?: readonly string[];
  /** Files and folders that are not to be read. */
  readonly unseen?: readonly string[];
}

/** The profile for macOS's `sandbox-exec`: everything may be read, the project and temporary folders written, what git, agents and editors obey not. */
export function seatbeltProfile({ project, writable, network, obeyed = [], unseen = [] }: SeatbeltPolicy): string {
  const lines = [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    '(allow file-write* (subpath "/private/tmp") (subpath "/private/var/folders") (literal "/dev/null") (literal "/dev/tty") (regex #"^/dev/ttys[0-9]+$"))',
  ];
  if (writable) {
    lines.push(`(allow file-write* (subpath ${quote(project)}))`);
    if (obeyed.length > 0)
      lines.push(`(deny file-write* ${obeyed.map((path) => `(subpath ${quote(path)})`).join(' ')})`);
  }
  if (unseen.length > 0) lines.push(`(deny file-read* ${unseen.map((path) => `(subpath ${quote(path)})`).join(' ')})`);
  // Of two rules the later counts: a copy of a project lies in a folder of Vise's own.
  if (unseen.some((path) => project.startsWith(`${path}/`)))
    lines.push(`(allow file-read* (subpath ${quote(project)}))`);
  if (!network) lines.push('(deny network*)', '(allow network* (local unix-socket))');
  return `${lines.join('\n')}\n`;
}

function quote(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
