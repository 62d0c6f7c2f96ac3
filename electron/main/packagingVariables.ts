import { delimiter, sep } from 'node:path';

/** Put there by Electron, Chromium or an AppImage's start script for this process alone. */
const own =
  /^(?:ELECTRON_RUN_AS_NODE|ELECTRON_NO_ATTACH_CONSOLE|CHROME_DESKTOP|APPDIR|APPIMAGE|ARGV0|OWD|APPIMAGE_.*)$/;

/**
 * An environment without what belongs to the package that Vise was started from. An AppImage puts its own folders in
 * front of PATH, LD_LIBRARY_PATH, XDG_DATA_DIRS and the like: a command would load Vise's libraries, and lose them when
 * the app ends.
 */
export function withoutPackaging(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const mount = environment['APPDIR'];
  const isOurs = (entry: string): boolean =>
    mount !== undefined && mount !== '' && (entry === mount || entry.startsWith(`${mount}${sep}`));
  const kept = Object.entries(environment).flatMap(([name, value]) => {
    if (own.test(name) || value === undefined) return [];
    if (mount === undefined || !value.includes(mount)) return [[name, value] as const];
    const entries = value.split(delimiter).filter((entry) => !isOurs(entry));
    return entries.some((entry) => entry !== '') ? [[name, entries.join(delimiter)] as const] : [];
  });
  const desktop = environment['ORIGINAL_XDG_CURRENT_DESKTOP'];
  const { ORIGINAL_XDG_CURRENT_DESKTOP: _original, ...rest } = Object.fromEntries(kept);
  return desktop === undefined ? rest : { ...rest, XDG_CURRENT_DESKTOP: desktop };
}
