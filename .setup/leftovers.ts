import { readdirSync, readFileSync } from 'node:fs';

/** A process that is still there. */
export interface Leftover {
  readonly pid: number;
  readonly command: string;
}

interface Status {
  readonly parent: number;
  readonly state: string;
}

/** Parent and state of a process, from the fields behind the last bracket of its stat line (proc(5)). */
function statusOf(pid: number): Status | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state = '', parent = '0'] = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

function readPart(pid: number, part: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${part}`, 'utf8');
  } catch {
    // Gone meanwhile, or another user's.
    return '';
  }
}

/**
 * Living processes that descend from `ancestor`, and those anywhere that inherited `mark` in their environment: a
 * double fork or `setsid` loses the parent but keeps the mark. Linux only; elsewhere nothing is found.
 * @param mark such as `NAME=value`
 */
export function findLeftovers(ancestor: number, mark: string): readonly Leftover[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const parents = new Map<number, number>();
  for (const pid of pids) {
    const status = statusOf(pid);
    // A zombie has ended; its parent merely has not asked for the exit code yet.
    if (status && status.state !== 'Z') parents.set(pid, status.parent);
  }
  const descends = (pid: number): boolean => {
    for (let at = parents.get(pid); at !== undefined && at > 1; at = parents.get(at)) if (at === ancestor) return true;
    return false;
  };
  return [...parents.keys()]
    .filter((pid) => pid !== ancestor)
    .filter((pid) => descends(pid) || readPart(pid, 'environ').split('\0').includes(mark))
    .map((pid) => ({ pid, command: readPart(pid, 'cmdline').split('\0').join(' ').trim() }));
}
