import { execFile } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { inSteps } from '../../base/inSteps.ts';

/** TCP ports on which each process listens, ascending. Processes that do not listen are missing from the map. */
export async function listeningPorts(pids: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>> {
  if (pids.length === 0) return new Map();
  if (process.platform === 'linux') return linuxPorts(pids);
  if (process.platform === 'win32') return parseNetstat(await run('netstat', ['-ano', '-p', 'TCP']), pids);
  return parseLsof(await run('lsof', ['-nP', '-iTCP', '-sTCP:LISTEN', '-Fpn', '-a', '-p', pids.join(',')]));
}

async function linuxPorts(pids: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>> {
  const listening = new Map<string, number>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    // The kernel walks all its connections for it, which takes tens of milliseconds. There may be no IPv6, or no /proc.
    const text = await readFile(table, 'latin1').catch(() => '');
    for (const [inode, port] of parseProcNet(text)) listening.set(inode, port);
  }
  const ports = new Map<number, readonly number[]>();
  if (listening.size === 0) return ports;
  const pause = inSteps();
  for (const pid of pids) {
    const mine = new Set<number>();
    for (const fd of openFiles(pid)) {
      await pause();
      const target = linkOf(`/proc/${pid}/fd/${fd}`);
      const port = target.startsWith('socket:[') ? listening.get(target.slice(8, -1)) : undefined;
      if (port !== undefined) mine.add(port);
    }
    if (mine.size > 0)
      ports.set(
        pid,
        [...mine].sort((a, b) => a - b),
      );
  }
  return ports;
}

function openFiles(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch {
    return []; // gone, or another user's
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // closed in the meantime
  }
}

/** Listening sockets (state 0A) of /proc/net/tcp or tcp6: inode to port. */
export function parseProcNet(text: string): ReadonlyMap<string, number> {
  const ports = new Map<string, number>();
  for (const line of text.split('\n').slice(1)) {
    const fields = line.trim().split(/\s+/);
    const port = fields[1]?.split(':').at(-1);
    const inode = fields[9];
    if (fields[3] === '0A' && port !== undefined && inode !== undefined) ports.set(inode, Number.parseInt(port, 16));
  }
  return ports;
}

/** Output of `lsof -nP -iTCP -sTCP:LISTEN -Fpn`. */
export function parseLsof(text: string): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, Set<number>>();
  let pid = 0;
  for (const line of text.split('\n')) {
    if (line.startsWith('p')) pid = Number(line.slice(1));
    const port = line.startsWith('n') ? /:(\d+)$/.exec(line)?.[1] : undefined;
    if (port !== undefined) found.set(pid, (found.get(pid) ?? new Set()).add(Number(port)));
  }
  return sorted(found);
}

/** Output of `netstat -ano -p TCP`; the word for LISTENING is translated on some systems, the foreign address 0 is not. */
export function parseNetstat(text: string, pids: readonly number[]): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, Set<number>>();
  for (const line of text.split('\n')) {
    const [protocol, local, foreign, , owner] = line.trim().split(/\s+/);
    const pid = Number(owner);
    if (protocol !== 'TCP' || !/^(?:0\.0\.0\.0|\[::\]):0$/.test(foreign ?? '') || !pids.includes(pid)) continue;
    const port = /:(\d+)$/.exec(local ?? '')?.[1];
    if (port !== undefined) found.set(pid, (found.get(pid) ?? new Set()).add(Number(port)));
  }
  return sorted(found);
}

function sorted(found: ReadonlyMap<number, ReadonlySet<number>>): ReadonlyMap<number, readonly number[]> {
  return new Map([...found].map(([pid, ports]) => [pid, [...ports].sort((a, b) => a - b)]));
}

function run(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { maxBuffer: 16_000_000, windowsHide: true }, (_error, stdout) => resolve(stdout));
  });
}
