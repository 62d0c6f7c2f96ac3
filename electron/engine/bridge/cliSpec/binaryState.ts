import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import type { FoundBinary } from './resolveBinary.ts';

/** A longer script is a program itself; one that only hands over is short. */
const maxShimBytes = 16 * 1024;
const maxTargets = 20;

/**
 * What an answer of a binary may be remembered by: its file, and the files that it hands over to where it is a shim. Undefined
 * where it hands over to something that cannot be told (a version manager): such a binary is asked each time.
 */
export function binaryState(binary: FoundBinary, path: string | undefined): readonly unknown[] | undefined {
  const own = [binary.realPath, binary.sizeBytes, binary.modifiedMs, binary.changedMs];
  const text = readScript(binary);
  if (text === undefined) {
    // `cargo` that is a link to `rustup` runs what that chooses.
    const [link, real] = [basename(binary.path), basename(binary.realPath)];
    return real.startsWith(link.replace(/\.\w+$/, '')) ? own : undefined;
  }
  if (text === '') return own;
  if (!/\bexec\b|"?\$@|\$\*|%\*/.test(text)) return own;
  const targets = targetsOf(text, dirname(binary.realPath), path).filter(({ file }) => file !== binary.realPath);
  return targets.length === 0 ? undefined : [...own, targets];
}

/** The text of a short script, empty for a long one; undefined for what is no script. */
function readScript({ realPath, sizeBytes }: FoundBinary): string | undefined {
  try {
    const file = openSync(realPath, 'r');
    try {
      const bytes = Buffer.alloc(Math.min(sizeBytes, maxShimBytes));
      const text = bytes.toString('utf8', 0, readSync(file, bytes));
      if (!text.startsWith('#!') && !/\.(?:cmd|bat)$/i.test(realPath)) return undefined;
      // The first line names what reads the script, not what it hands over to.
      return sizeBytes > maxShimBytes || /^#!.*\b(?:node|python|perl|ruby)/.test(text) ? '' : text.replace(/^#!.*/, '');
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

/** The files that a script names: by their path, beside itself, or by a name behind `exec`. */
function targetsOf(text: string, folder: string, path: string | undefined): readonly Target[] {
  const named = [...text.matchAll(/(?:^|[\s"'=])(\/[^\s"'`$;|&()<>]+)/gm)].map(([, one]) => one ?? '');
  const beside = [
    ...text.matchAll(/(?:\$\{?basedir\}?|\$\(dirname[^)]*\)|\$\{0%\/\*\}|%~?dp0%?)["']?[\\/]([^\s"'`$;|&()<>]+)/g),
  ].map(([, one]) => resolve(folder, (one ?? '').replaceAll('\\', '/')));
  const folders = (path ?? '').split(delimiter).filter((one) => one !== '');
  const bare = [...text.matchAll(/\bexec\s+(?:-a\s+\S+\s+)?"?([a-zA-Z][\w.+-]*)/g)].flatMap(([, one]) =>
    folders
      .map((place) => join(place, one ?? ''))
      .filter((file) => stateOf(file) !== undefined)
      .slice(0, 1),
  );
  const states = [...new Set([...named, ...beside, ...bare])].slice(0, maxTargets).map(stateOf);
  return states.filter((one) => one !== undefined);
}

interface Target {
  readonly file: string;
  readonly state: readonly number[];
}

function stateOf(file: string): Target | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  // Interpreters and tools of the system stand in scripts that hand over to others.
  if (!stats?.isFile() || /^\/(?:usr\/)?bin\/(?:env|sh|bash|dash|zsh|dirname|readlink|uname|sed)$/.test(file))
    return undefined;
  return { file, state: [stats.size, stats.mtimeMs, stats.ctimeMs] };
}
