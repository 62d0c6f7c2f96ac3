import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CommandRequest } from '../../exec/executor.ts';
import type { ProbeOrder } from './probeOrder.ts';

/** More changed files are not opened in a server. */
const maxFiles = 200;
/** Before the command's own end, so that it can say what it waited for. */
const graceMs = 2_000;

/** The command that asks a server of these files, in place of the server's own. */
export function probeRequest(
  command: string,
  files: readonly string[],
  maxSeconds: number,
): Pick<CommandRequest, 'command' | 'args' | 'env'> {
  const [program = '', ...args] = command.split(' ');
  const order: ProbeOrder = {
    server: [program, ...args],
    files: files.slice(0, maxFiles),
    limitMs: Math.max(1_000, maxSeconds * 1000 - graceMs),
  };
  return {
    command: process.execPath,
    args: [probeFile(), JSON.stringify(order)],
    env: { ELECTRON_RUN_AS_NODE: '1' },
  };
}

/** Of the built product; a name and no module of the sources. */
const builtProbe = '../serverProbe.js';

const isSource = import.meta.url.endsWith('.ts');

function probeFile(): string {
  return fileURLToPath(isSource ? new URL('./probe.ts', import.meta.url) : new URL(builtProbe, import.meta.url));
}

/** Where the probe and what it runs on lie, which may be a temporary folder: an AppImage is mounted in one. */
export const probeFolders = (): readonly string[] => [
  dirname(process.execPath),
  isSource ? join(dirname(probeFile()), '..', '..', '..', '..') : dirname(probeFile()),
];
