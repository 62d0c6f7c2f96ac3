import { posix } from 'node:path';
import { pathMatches, shellGlob } from '../../base/pathGlob.ts';
import { isLiteral, type Word } from '../../shell/parse/line.ts';
import { alternatives, joined, type Surroundings } from '../../shell/placedLine.ts';
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
  const places = placesOf(target, folders, around);
  const reason = firstReason(places, around, (path) => protectedPath(path) ?? protectedByGlob(path, protectedPath));
  return reason ?? (places.some(isSaid) ? 'which file that is shows only when it runs' : undefined);
}

/** The same for a word of which nobody says that it is written: only what it says, or a pattern of hidden names. */
export function protectedName(
  word: Word,
  folders: readonly string[],
  around: Surroundings,
  protectedPath: ProtectedPath,
): string | undefined {
  const mayHide = (path: string) => !isLiteral(word) && /(?:^|\/)[.[][^/]*[*?[\]]/.test(path);
  return firstReason(
    placesOf(word, folders, around).filter((place) => !isSaid(place)),
    around,
    (path) => protectedPath(path) ?? (mayHide(path) ? protectedByGlob(path, protectedPath) : undefined),
  );
}

function placesOf(word: Word, folders: readonly string[], around: Surroundings): readonly string[] {
  return pathTexts(word, around).flatMap((text) => folders.flatMap((folder) => alternatives(joined(folder, text))));
}

function firstReason(
  places: readonly string[],
  { cwd }: Surroundings,
  judge: (path: string) => string | undefined,
): string | undefined {
  for (const place of places) {
    const full = posix.normalize(emptied(place));
    // The project itself may lie below a folder with such a name; only what is inside counts.
    const relative = cwd === undefined ? full : posix.relative(cwd, full);
    const reason = judge(relative.startsWith('..') ? full : relative);
    if (reason) return reason;
  }
  return undefined;
}

/** Names that a pattern may be made to meet; the lent function knows which of them are protected, and where. */
const likelyNames: readonly string[] = (
  '.git .vise .cli-bridge .husky .githooks .idea .devcontainer .circleci .github .vscode .claude .codex .gemini .cargo ' +
  'workflows actions tasks.json launch.json settings.json mcp.json .ssh .gnupg .zed .cursor .bashrc .bash_profile ' +
  '.bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .envrc .inputrc .vimrc .exrc ' +
  '.gitmodules .gitattributes .gitconfig .gitlab-ci.yml .travis.yml .mcp.json .pre-commit-config.yaml lefthook.yml ' +
  'Jenkinsfile fish .npmrc .yarnrc.yml .devcontainer.json .gdbinit config.toml config'
).split(' ');

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
