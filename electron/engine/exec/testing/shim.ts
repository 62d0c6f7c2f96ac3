import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestExecutor } from './testExecutor.ts';

/** A program of this name in the project's `bin`; returns the folder. */
export function shim({ workspace }: TestExecutor, name: string, script: string): string {
  const folder = join(workspace, 'bin');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
  return folder;
}

/** Shell text that goes on once the file is there. */
export function waitFor(file: string): string {
  return `while ! [ -e ${file} ]; do sleep 0.02; done`;
}
