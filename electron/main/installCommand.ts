import { lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { describeError, errnoOf } from '../engine/base/log.ts';
import { words } from './desktopWords.ts';

export interface InstallOptions {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The packed command: `bin/vise`, `bin\vise.cmd`. */
  readonly command: string;
  readonly home?: string;
}

/**
 * Puts the packed command where terminals find it: a link in `~/.local/bin` (Windows: a small script in the user's own
 * folder of commands, which is in PATH). Touches nothing that is not its own. @returns what happened, for the person
 */
export function installCommand({ platform, env, command, home = homedir() }: InstallOptions): string {
  const say = words().command;
  if (env['APPIMAGE']) return say.appImage;
  const folder =
    platform === 'win32'
      ? join(env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'Microsoft', 'WindowsApps')
      : join(home, '.local', 'bin');
  const place = join(folder, platform === 'win32' ? 'vise.cmd' : 'vise');
  try {
    mkdirSync(folder, { recursive: true });
    if (platform === 'win32') writeFileSync(place, `@"${command}" %*\r\n`);
    else {
      const isOurs = isLinkToUs(place);
      if (isOurs === false) return say.other(place);
      rmSync(place, { force: true });
      symlinkSync(command, place);
    }
  } catch (error) {
    return say.failed(place, describeError(error));
  }
  const isInPath = (env['PATH'] ?? '').split(delimiter).includes(folder);
  return say.installed(place) + (isInPath ? '' : say.notInPath(folder));
}

/** Undefined: nothing is there. */
function isLinkToUs(place: string): boolean | undefined {
  try {
    return lstatSync(place).isSymbolicLink() && /[\\/]bin$/.test(dirname(readlinkSync(place)));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
