import { posix } from 'node:path';
import type { Command, ParsedLine, Word } from '../../shell/parse/line.ts';
import { alternatives, joined, type Surroundings } from '../../shell/placedLine.ts';
import { isDevice } from '../../shell/programs/program.ts';
import { programOf } from '../../shell/programs/programs.ts';
import { emptied, isUnknown, isWhollyUnknown, pathTexts } from '../../shell/values.ts';
import { beyondProject } from './beyondProject.ts';

/**
 * Why a command destroys far more than one of a project should (C4), or nothing. `folders` are all places where it may
 * run. Decided here: what takes a whole project, home or system with it, or cannot be taken back for a whole disk, is
 * red; what deletes named files is an ordinary question.
 */
export function destroys(command: Command, folders: readonly string[], around: Surroundings): string | undefined {
  const device = command.redirects.find(({ write, target }) => write && isDevice(target));
  if (device) return `writes over the device ${device.target}`;
  const { red } = beyondProject(command);
  if (red !== undefined) return red;
  const found = programOf(command.argv[0] ?? '').destroys?.(command);
  if (!found || 'why' in found) return found?.why;
  const whole = farReaching(found.words, folders, around);
  if (whole !== undefined) return `${found.verb} ${whole}`;
  const unknown = found.unknownToo
    ? found.words.find((word) => pathTexts(word, around).some(isWhollyUnknown))
    : undefined;
  return unknown && `${found.verb} ${unknown.raw}, whose value is only known when it runs`;
}

/** A function that starts itself again beside itself. */
export function forksWithoutEnd({ commands, functions }: ParsedLine): string | undefined {
  const bomb = functions.find((name) =>
    commands.some(
      ({ argv, places, piped }) =>
        argv[0] === name && places.includes('function') && (piped || places.includes('background')),
    ),
  );
  return bomb === undefined ? undefined : 'starts itself without end (a fork bomb)';
}

/** The first word that means a whole project, home or system. */
function farReaching(words: readonly Word[], folders: readonly string[], around: Surroundings): string | undefined {
  for (const word of words) {
    if (/^-./.test(word.value)) continue;
    for (const text of new Set([...pathTexts(word, around), ...(word.value === '' ? [] : [word.value])])) {
      const forms = alternatives(emptied(text));
      if (forms.some((form) => folders.some((folder) => isWhole(form, isUnknown(text), folder, around))))
        return word.raw === '/' ? 'everything (/)' : word.raw;
    }
  }
  return undefined;
}

/** `/`, `~`, `.`, `..`, a folder at the root (unless a variable in front was taken as empty), the home or working folder or one above, or everything in one of them. */
function isWhole(written: string, guessed: boolean, folder: string, { cwd, home, platform }: Surroundings): boolean {
  if (written === '') return false;
  // A glob that keeps nothing back: `*`, `.*`, `**`, `{*,.*}`.
  const path = written.replace(/(?:^|\/)(?:[*.?[\]!{},]*[*?][*.?[\]!{},]*)$/, (match) =>
    match.startsWith('/') ? '/' : '.',
  );
  if (/^[A-Za-z]:[\\/]?\*?$/.test(path) && platform === 'win32') return true;
  if (path !== '/' && /^(?:\.{1,2}|~[\w.-]*)?\/?$/.test(path)) return true;
  const full = joined(folder, path).replace(/(?<=.)\/+$/, '');
  if (full === '/' || full === '~' || full === '.' || full === '..' || /^(?:\.\.\/?)+$/.test(full)) return true;
  if (/^\/[^/]+$/.test(full) && !guessed) return true;
  return [cwd, home].some((place) => place !== undefined && isAtOrAbove(full, posix.normalize(place)));
}

function isAtOrAbove(path: string, place: string): boolean {
  return place === path || place.startsWith(path.endsWith('/') ? path : `${path}/`);
}
