import { posix } from 'node:path';
import type { Command, ParsedLine } from '../../shell/parse/line.ts';
import { alternatives, joined, type Surroundings } from '../../shell/places.ts';
import { gitVerbIndex } from '../../shell/programs/gitVerbIndex.ts';
import { programName } from '../../shell/programs/wrapperTable.ts';
import { emptied, isUnknown, isWhollyUnknown, pathTexts } from '../../shell/values.ts';

/**
 * Why a command destroys far more than a command of a project should (C4), or nothing. `folders` are all places where it may
 * run. Decided here: what takes a whole project, home or system with it, or cannot be taken back for a whole disk, is
 * red; what deletes named files is an ordinary question.
 */
export function destroys(command: Command, folders: readonly string[], around: Surroundings): string | undefined {
  const name = programName(command.argv[0] ?? '');
  const rest = command.argv.slice(1);
  const device = command.redirects.find(({ write, target }) => write && isDevice(target));
  if (device) return `writes over the device ${device.target}`;
  switch (name) {
    case 'rm':
    case 'rmdir':
    case 'unlink':
    case 'shred':
    case 'srm':
    case 'rimraf':
    case 'trash':
    case 'del':
    case 'erase':
    case 'rd':
    case 'remove-item':
      return deletes(command, name, folders, around);
    case 'mv':
      return farReaching(command, 'moves away', folders, around, command.words.slice(1, -1));
    case 'truncate':
      return farReaching(command, 'empties', folders, around);
    case 'rsync':
      return rest.some((word) => word.startsWith('--del'))
        ? farReaching(command, 'deletes what is missing elsewhere in', folders, around, command.words.slice(-1))
        : undefined;
    case 'chmod':
    case 'chown':
    case 'chgrp':
    case 'chattr':
    case 'setfacl':
      return rest.some((word) => /^-[A-Za-z]*R|^--recursive$/.test(word))
        ? farReaching(command, 'changes the owners or rights of', folders, around)
        : undefined;
    case 'find':
    case 'gfind':
      return findDeletes(command, folders, around);
    case 'git':
      return gitCleans(command);
    case 'dd':
      return rest.some((word) => word.startsWith('of=') && isDevice(word.slice(3)))
        ? 'writes over a device'
        : undefined;
    case 'tee':
    case 'cp':
      return rest.some(isDevice) ? 'writes over a device' : undefined;
    case 'shutdown':
    case 'reboot':
    case 'halt':
    case 'poweroff':
      return 'switches the machine off';
    case 'format':
      return rest.some((word) => /^[A-Za-z]:$/.test(word)) ? 'formats a disk' : undefined;
    default:
      return /^(?:mkfs(?:\..*)?|mke2fs|mkswap|wipefs|blkdiscard|diskpart|newfs.*)$/.test(name)
        ? 'formats a disk'
        : undefined;
  }
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

function isDevice(path: string): boolean {
  return /^\/dev\/(?!null$|zero$|stdout$|stderr$|stdin$|tty$|fd\/|full$|u?random$|tcp\/|udp\/|shm\/|pts\/)/.test(path);
}

function deletes(command: Command, name: string, folders: readonly string[], around: Surroundings): string | undefined {
  const recursive = command.argv
    .slice(1)
    .some((word) =>
      /^-[A-Za-z]*[rR]|^--(?:r|re|rec|recu|recur|recurs|recursi|recursiv|recursive)$|^\/[sS]$|^-[Rr]ecurse$/.test(word),
    );
  const wiped = farReaching(command, 'deletes', folders, around);
  if (wiped) return wiped;
  const unknown = command.words.slice(1).find((word) => pathTexts(word, around).some(isWhollyUnknown));
  if (unknown && (recursive || name === 'shred'))
    return `deletes ${unknown.raw}, whose value is only known when it runs`;
  return undefined;
}

function farReaching(
  command: Command,
  verb: string,
  folders: readonly string[],
  around: Surroundings,
  words = command.words.slice(1),
): string | undefined {
  for (const word of words) {
    if (/^-./.test(word.value)) continue;
    for (const text of new Set([...pathTexts(word, around), ...(word.value === '' ? [] : [word.value])])) {
      const forms = alternatives(emptied(text));
      if (forms.some((form) => folders.some((folder) => isWhole(form, isUnknown(text), folder, around))))
        return `${verb} ${described(word.raw)}`;
    }
  }
  return undefined;
}

function described(raw: string): string {
  return raw === '/' ? 'everything (/)' : raw;
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

function findDeletes(command: Command, folders: readonly string[], around: Surroundings): string | undefined {
  const { argv, words } = command;
  const begins = argv.findIndex(
    (word, index) => index > 0 && /^(?:-[a-z]|[()!])/.test(word) && !/^-[HLPDO]/.test(word),
  );
  const expression = begins < 0 ? [] : argv.slice(begins);
  const removes = expression.some((word, index) => {
    const program = programName(expression[index + 1] ?? '');
    return word === '-delete' || (/^-(?:exec|execdir|ok|okdir)$/.test(word) && /^(?:rm|unlink|shred)$/.test(program));
  });
  if (!removes) return undefined;
  const roots = words.slice(1, begins).filter(({ value }) => !/^-[HLPDO]/.test(value));
  const filtered = expression.some((word) =>
    /^-(?:i?name|i?path|i?regex|type|size|[acm](?:time|min)|newer.*|empty|user|maxdepth)$/.test(word),
  );
  // A filter keeps a search below the project in bounds, not one over the home or the system.
  const outside = roots.filter(({ value }) => !/^\.\/?$/.test(value));
  const searched = filtered ? outside : roots;
  if (roots.length === 0 && !filtered) return 'deletes everything in the folder';
  return farReaching(command, 'deletes what it finds in', folders, around, searched);
}

/**
 * `git clean` with force and without a path removes untracked files for good, ignored ones with `-x`: what was never
 * committed cannot come back, so with folders or ignored files it counts as `rm -r .`; with a path it is ordinary.
 */
function gitCleans({ argv }: Command): string | undefined {
  const at = gitVerbIndex(argv);
  if (argv[at] !== 'clean') return undefined;
  const rest = argv.slice(at + 1);
  const letters = rest.filter((word) => /^-[a-z]+$/i.test(word)).join('');
  if (/n/.test(letters) || rest.includes('--dry-run')) return undefined;
  const force = /f/.test(letters) || rest.includes('--force');
  const paths = rest.filter(
    (word, index) => !word.startsWith('-') && !/^(?:-e|--exclude)$/.test(rest[index - 1] ?? ''),
  );
  const narrow = paths.length > 0 && !paths.some((path) => /^(?:\.{1,2}\/?|:\/?|\*)$/.test(path));
  return force && /[dxX]/.test(letters) && !narrow ? 'deletes every file that git does not know' : undefined;
}
