import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project.mjs';

/** How Electron's build marks the place of its fuses in the program (github.com/electron/fuses). */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/**
 * A folder that electron-builder takes for Electron's where its binary cannot be had: a program that runs as Node where it
 * is asked to and says what it is elsewhere, with a fuse wire like the real one's (version 1, nine fuses, all off).
 */
export function makeStandInElectron(): string {
  const folder = join(root, '.vise-test', 'electronDist');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'resources'), { recursive: true });
  const script = [
    '#!/bin/sh',
    `[ "$ELECTRON_RUN_AS_NODE" = 1 ] && exec '${process.execPath}' "$@"`,
    'echo "This package was made without the Electron binary: it has no window." >&2',
    'exit 1',
    '',
  ].join('\n');
  const wire = Buffer.concat([Buffer.from(sentinel), Buffer.from([1, 9]), Buffer.alloc(9, '0')]);
  const program = join(folder, 'electron');
  writeFileSync(program, Buffer.concat([Buffer.from(script), wire, Buffer.from('\n')]));
  chmodSync(program, 0o755);
  return folder;
}
