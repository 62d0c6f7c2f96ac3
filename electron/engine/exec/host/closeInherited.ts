import { closeSync, readdirSync, readFileSync } from 'node:fs';

/** The `flags` line of /proc/self/fdinfo counts in octal; this bit is close-on-exec. */
const closeOnExec = 0o2000000;

/**
 * Closes what this process was started with besides the first four descriptors, so that no command gets it in turn. What Node
 * opened itself is marked close-on-exec. Linux only; elsewhere nothing is done.
 */
export function closeInherited(): void {
  if (process.platform !== 'linux') return;
  for (const name of readdirSync('/proc/self/fd')) {
    const fd = Number(name);
    if (fd <= 3) continue;
    try {
      const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1];
      if (flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0) closeSync(fd);
    } catch {
      // the folder's own descriptor is gone by now
    }
  }
}
