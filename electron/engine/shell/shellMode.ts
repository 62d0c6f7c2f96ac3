import { windowsShellMode } from './parse/windowsWords.ts';
import { posixShellMode } from './shellModePosix.ts';
import type { ShellMode } from './shellModeType.ts';

export type { ShellMode };

export const blankCommand = 'command must be provided';

/** Chooses between a shell and starting the program itself (spec 001, section 3). Pure; `platform` as in `process.platform`. */
export function shellMode(command: string, platform: string = process.platform): ShellMode {
  if (command.trim() === '') return { mode: 'error', message: blankCommand };
  return platform === 'win32' ? windowsShellMode(command) : posixShellMode(command);
}
