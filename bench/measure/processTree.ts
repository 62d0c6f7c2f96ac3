import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts CPU time in ticks of 10 ms for programs (USER_HZ is 100 on all that Node runs on). */
const ticksPerSecond = 100;

/** Memory pages; Node has no call for their size, and x64 has this one. */
const pageBytes = 4096;

/** The fields of proc(5)'s stat line from the third on: the second, in brackets, may hold anything. */
function statFields(pid: number | 'self'): readonly string[] {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return line.slice(line.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** CPU seconds of all children that have ended and were waited for, with theirs, since this process began. */
export function childrenCpuSeconds(): number {
  // Fields 16 and 17: cutime and cstime.
  const [user = '0', system = '0'] = statFields('self').slice(13, 15);
  return (Number(user) + Number(system)) / ticksPerSecond;
}

/** CPU seconds of one living process so far, without its children. */
export function cpuSecondsOf(pid: number): number {
  const [user = '0', system = '0'] = statFields(pid).slice(11, 13);
  return (Number(user) + Number(system)) / ticksPerSecond;
}

/** The process and all that descend from it, now. */
export function treeOf(root: number): readonly number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number(statFields(Number(name))[1] ?? 0);
    const siblings = children.get(parent);
    if (siblings) siblings.push(Number(name));
    else children.set(parent, [Number(name)]);
  }
  const found = [root];
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return found;
}

/** Resident memory of these processes together, bytes; pages that they share count for each. */
export function residentBytes(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + Number(statFields(pid)[21] ?? 0) * pageBytes, 0);
}

/** Follows the memory of a process and its descendants. */
export interface MemoryWatch {
  /** Ends the watch and gives the highest sum that was seen, bytes. */
  readonly stop: () => number;
}

/**
 * Looks at the memory of a tree every `everyMs`. A peak shorter than that can be missed; who must know it exactly asks
 * the kernel's own high-water mark of one process (`memoryOf`). Linux only.
 */
export function watchMemory(root: number, everyMs = 10): MemoryWatch {
  let peak = 0;
  let looks = 0;
  let tree: readonly number[] = [root];
  const look = (): void => {
    // Finding the tree reads all of /proc: a tenth of the looks does.
    if (looks % 10 === 0) tree = treeOf(root);
    looks += 1;
    peak = Math.max(peak, residentBytes(tree));
  };
  look();
  const timer = setInterval(look, everyMs);
  return {
    stop: () => {
      clearInterval(timer);
      return peak;
    },
  };
}

/** Resident bytes of a process: now (`VmRSS`), or the kernel's high-water mark (`VmHWM`). Linux only. */
export const memoryOf = (pid: number, name: 'VmHWM' | 'VmRSS'): number =>
  Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
