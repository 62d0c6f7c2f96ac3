import { obeyedPlaces } from './guardedPlaces.ts';

export interface SeatbeltPolicy {
  readonly project: string;
  readonly writable: boolean;
  readonly network: boolean;
  /** Files and folders that are not to be read. */
  readonly unseen?: readonly string[];
}

/** Below `.git`: what git runs, and what leads it to another configuration. */
const gitObeys = ['hooks', 'config', 'config.worktree', 'commondir'].map((name) => `.git/${name}`);

/** The profile for macOS's `sandbox-exec`: everything may be read, the project and temporary folders written, what git, agents and editors obey not. */
export function seatbeltProfile({ project, writable, network, unseen = [] }: SeatbeltPolicy): string {
  const lines = [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    '(allow file-write* (subpath "/private/tmp") (subpath "/private/var/folders") (literal "/dev/null") (literal "/dev/tty") (regex #"^/dev/ttys[0-9]+$"))',
  ];
  if (writable) {
    lines.push(`(allow file-write* (subpath ${quote(project)}))`);
    const obeyed = [...obeyedPlaces, ...gitObeys].map((place) => `(subpath ${quote(`${project}/${place}`)})`);
    lines.push(`(deny file-write* ${obeyed.join(' ')})`);
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
