import { posix } from 'node:path';
import { pathMatches, shellGlob } from '../../base/glob.ts';
import type { Word } from '../../shell/parse/line.ts';
import { alternatives, joined, type Surroundings } from '../../shell/places.ts';
import { emptied, isSaid, pathTexts } from '../../shell/values.ts';

/** Says why a path is protected (P12), or nothing; lent by the workspace room. */
export type ProtectedPath = (path: string) => string | undefined;

/** Why what this word names is protected, or may be: where another command says which file it is, nobody can know. */
export function protectedTarget(
  target: Word,
  folders: readonly string[],
  around: Surroundings,
  protectedPath: ProtectedPath,
): string | undefined {
  const texts = pathTexts(target, around);
  const places = texts.flatMap((text) => folders.flatMap((folder) => alternatives(joined(folder, text))));
  for (const place of places) {
    const full = posix.normalize(emptied(place));
    // The project itself may lie below a folder with such a name; only what is inside counts.
    const relative = around.cwd === undefined ? full : posix.relative(around.cwd, full);
    const inside = relative.startsWith('..') ? full : relative;
    const reason = protectedPath(inside) ?? protectedByGlob(inside, protectedPath);
    if (reason) return reason;
  }
  return places.some(isSaid) ? 'which file that is shows only when it runs' : undefined;
}

/** Names that a pattern may be made to meet; the lent function knows which of them are protected, and where. */
const likelyNames: readonly string[] = [
  ...[
    '.git',
    '.vise',
    '.cli-bridge',
    '.husky',
    '.githooks',
    '.idea',
    '.devcontainer',
    '.circleci',
    '.github',
    '.vscode',
  ],
  ...[
    'workflows',
    'actions',
    'tasks.json',
    'launch.json',
    'settings.json',
    'mcp.json',
    '.ssh',
    '.gnupg',
    '.zed',
    '.cursor',
  ],
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile', '.zshrc', '.zshenv'],
  ...['.zprofile', '.zlogin', '.envrc', '.inputrc', '.vimrc', '.exrc', '.gitmodules', '.gitattributes', '.gitconfig'],
  ...['.gitlab-ci.yml', '.travis.yml', '.mcp.json', '.pre-commit-config.yaml', 'lefthook.yml', 'Jenkinsfile', 'fish'],
];

const maxPatterns = 6;

/** `.g?t/config` reaches what `.git/config` names. A leading star or mark skips dot files. */
function protectedByGlob(path: string, protectedPath: ProtectedPath): string | undefined {
  const patterns = path.split('/').filter((segment) => /[*?[]/.test(segment)).length;
  if (patterns > maxPatterns) return 'so many patterns may reach a protected place';
  let readings: readonly string[] = [''];
  for (const segment of path.split('/')) {
    const isPattern = /[*?[]/.test(segment);
    const names = isPattern ? likelyNames.filter((name) => mayMean(segment, name)) : [];
    readings = readings.flatMap((reading) => [segment, ...names].map((name) => `${reading}/${name}`)).slice(0, 512);
  }
  for (const reading of readings) {
    const reason = protectedPath(reading.slice(1));
    if (reason) return reason;
  }
  return undefined;
}

/** A dot in front must be written, so that `*` and `?` pass dot files over; not every shell keeps to it for `[.]`. */
function mayMean(segment: string, name: string): boolean {
  if (name.startsWith('.') && !/^[.[]/.test(segment)) return false;
  return pathMatches(shellGlob(segment), name, { fold: true });
}
