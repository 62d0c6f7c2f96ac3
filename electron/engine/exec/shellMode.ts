import { posixShellMode } from './shellModePosix.ts';
import { windowsShellMode } from './shellModeWindows.ts';

/** How a command line will be run, or why nothing can be run. `why` names what in the text asks for a shell. */
export type ShellMode =
  | { readonly mode: 'shell'; readonly why: string }
  | { readonly mode: 'direct'; readonly argv: readonly string[] }
  | { readonly mode: 'error'; readonly message: string };

export const unterminatedQuote = 'unterminated quote';
export const blankCommand = 'command must be provided';

/** Chooses between a shell and starting the program itself (spec 001, section 3). Pure; `platform` as in `process.platform`. */
export function shellMode(command: string, platform: string = process.platform): ShellMode {
  if (command.trim() === '') return { mode: 'error', message: blankCommand };
  return platform === 'win32' ? windowsShellMode(command) : posixShellMode(command);
}
