import path from 'node:path';

/** The rules that differ between systems; a parameter, so that every system's rules are tested on each. */
export type PathPlatform = 'linux' | 'darwin' | 'win32';

export const hostPlatform: PathPlatform =
  process.platform === 'win32' ? 'win32' : process.platform === 'darwin' ? 'darwin' : 'linux';

export function pathsOf(platform: PathPlatform): path.PlatformPath {
  return platform === 'win32' ? path.win32 : path.posix;
}

/** Two names that a system may treat as one fold to the same text: case on Windows and macOS, composition on macOS. */
export function foldName(name: string, platform: PathPlatform): string {
  if (platform === 'linux') return name;
  if (platform === 'win32') return name.toLowerCase();
  return name.normalize('NFC').toLowerCase().normalize('NFC');
}

/** True when `inner` is `outer` or below it. Both must be absolute; whole segments are compared, never prefixes of text. */
export function isInside(outer: string, inner: string, platform: PathPlatform): boolean {
  const paths = pathsOf(platform);
  if (!paths.isAbsolute(outer) || !paths.isAbsolute(inner) || hasNul(outer) || hasNul(inner)) return false;
  const above = segmentsOf(outer, platform);
  const below = segmentsOf(inner, platform);
  return above.length <= below.length && above.every((segment, index) => segment === below[index]);
}

/** The part of `inner` below `outer`, with forward slashes and in the spelling of `inner`; empty for `outer` itself. Only for paths that are inside. */
export function belowOf(outer: string, inner: string, platform: PathPlatform): string {
  const separator = platform === 'win32' ? /[\\/]/ : '/';
  const names = pathsOf(platform)
    .normalize(inner)
    .split(separator)
    .filter((segment) => segment !== '');
  return names.slice(segmentsOf(outer, platform).length).join('/');
}

function segmentsOf(absolute: string, platform: PathPlatform): readonly string[] {
  const folded = foldName(pathsOf(platform).normalize(absolute), platform);
  return folded.split(platform === 'win32' ? /[\\/]/ : '/').filter((segment) => segment !== '');
}

export function hasNul(text: string): boolean {
  return text.includes('\0');
}

// Source: "Naming Files, Paths, and Namespaces", learn.microsoft.com/windows/win32/fileio/naming-a-file.
const deviceName = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³])(?:\s*[.:].*)?$/i;

/** Why this spelling is never accepted on the platform, whatever it points at; undefined when it may be looked up. */
export function refusedSpelling(given: string, platform: PathPlatform): string | undefined {
  if (hasNul(given)) return 'it contains a NUL character';
  if (platform !== 'win32') return undefined;
  if (/^[\\/]{2}[?.](?:[\\/]|$)/.test(given)) return 'device and long-path prefixes are not accepted';
  const drive = /^[a-z]:/i.test(given);
  if (drive && !/^[a-z]:[\\/]/i.test(given)) return 'a drive letter needs an absolute path behind it';
  const rest = drive ? given.slice(2) : given;
  for (const name of rest.split(/[\\/]/)) {
    if (name === '' || name === '.' || name === '..') continue;
    if (name.includes(':')) return 'alternate data streams are not accepted';
    if (/[<>:"|?*\p{Cc}]/u.test(name)) return `"${name}" has a character that Windows does not allow in names`;
    if (/[. ]$/.test(name)) return `"${name}" ends with a dot or a space`;
    if (deviceName.test(name.trim())) return `"${name}" is the name of a device`;
  }
  return undefined;
}

/** A spelling that is absolute on any system: model-written patch headers are judged by all of them, on every host. */
export function looksAbsolute(given: string): boolean {
  return /^(?:[\\/]|[a-z]:(?:[\\/]|$))/i.test(given);
}
