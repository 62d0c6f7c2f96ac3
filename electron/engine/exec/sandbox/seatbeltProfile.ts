export interface SeatbeltPolicy {
  readonly project: string;
  readonly writable: boolean;
  readonly network: boolean;
}

/** The profile for macOS's `sandbox-exec`: everything may be read, the project and temporary folders written, git's hooks and settings not. */
export function seatbeltProfile({ project, writable, network }: SeatbeltPolicy): string {
  const lines = [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    '(allow file-write* (subpath "/private/tmp") (subpath "/private/var/folders") (literal "/dev/null") (literal "/dev/tty") (regex #"^/dev/ttys[0-9]+$"))',
  ];
  if (writable) {
    lines.push(`(allow file-write* (subpath ${quote(project)}))`);
    lines.push(
      `(deny file-write* (subpath ${quote(`${project}/.git/hooks`)}) (literal ${quote(`${project}/.git/config`)}))`,
    );
  }
  if (!network) lines.push('(deny network*)', '(allow network* (local unix-socket))');
  return `${lines.join('\n')}\n`;
}

function quote(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
