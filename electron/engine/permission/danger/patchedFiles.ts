import { type Command, isLiteral } from '../../shell/parse/line.ts';
import { joined, type PlacedLine } from '../../shell/placedLine.ts';
import { gitVerbIndex } from '../../shell/programs/git.ts';
import { programName } from '../../shell/programs/program.ts';
import { isReadOnlyCommand } from '../../shell/readOnly.ts';
import type { OtherTrees } from './otherTrees.ts';

/** Reads patches; lent by the workspace room. */
export interface PatchReader {
  /** The text of a file by its absolute path; nothing when it cannot be read as a patch. */
  text(path: string): string | undefined;
  /** The names in the headers of a patch. */
  names(text: string): readonly string[];
}

const unknownPatch = 'writes the files that a patch names, and which those are shows only when it runs';

/** `git apply`, `git am` and `patch` write files that no word of theirs names: they stand in the patch (C14). */
export function patchedFiles({ commands, folders }: PlacedLine, reader: PatchReader): OtherTrees {
  const paths = new Set<string>();
  const always = new Set<string>();
  commands.forEach((command, at) => {
    const given = patchesOf(command);
    if (given === undefined) return;
    // What ran before may have written the patch.
    const isMade = (files: readonly string[]): boolean =>
      files.length > 0 && !commands.slice(0, at).every((one) => isReadOnlyCommand(one));
    if (given === 'unknown' || isMade(given.files)) {
      always.add(unknownPatch);
      return;
    }
    for (const folder of folders) {
      const base = joined(folder, given.folder);
      const texts = [...given.texts, ...given.files.map((file) => reader.text(joined(base, file)))];
      for (const text of texts) {
        if (text === undefined) always.add(unknownPatch);
        else
          for (const name of reader.names(text).flatMap((one) => stripped(one, given.strip)))
            paths.add(joined(joined(base, given.below), name));
      }
    }
  });
  return { paths: [...paths], always: [...always] };
}

interface Patches {
  readonly files: readonly string[];
  readonly texts: readonly string[];
  readonly folder: string;
  /** Where its names begin. */
  readonly below: string;
  /** How many folders go from the front of each name; undefined: the program finds out. */
  readonly strip: number | undefined;
}

const writesNothing = /^--(?:check|stat|numstat|summary|dry-run|abort|quit|skip|show-current-patch|cached)(?:=|$)/;
const takesWord = /^(?:-[CpidDrBzVFoY]|--(?:directory|input|strip|reject-file|output|include|exclude|whitespace))$/;

/** What a command applies; undefined when it applies nothing. */
function patchesOf(command: Command): Patches | 'unknown' | undefined {
  const { argv, words, redirects } = command;
  const isGit = programName(argv[0] ?? '') === 'git';
  const verbAt = isGit ? gitVerbIndex(argv) : 0;
  if (isGit ? !/^(?:apply|am)$/.test(argv[verbAt] ?? '') : programName(argv[0] ?? '') !== 'patch') return undefined;
  const rest = argv.slice(verbAt + 1);
  if (rest.some((word) => writesNothing.test(word))) return undefined;
  if (!words.every(isLiteral)) return 'unknown';
  const value = (form: RegExp): string | undefined => {
    const at = rest.findIndex((word) => form.test(word));
    const [, glued = ''] = form.exec(rest[at] ?? '') ?? [];
    return at < 0 ? undefined : glued === '' ? rest[at + 1] : glued;
  };
  const names = rest.filter((word, at) => !/^-./.test(word) && !takesWord.test(rest[at - 1] ?? ''));
  const sent = redirects.filter(({ op }) => op.startsWith('<'));
  const texts = sent.flatMap(({ body }) => body ?? []);
  const input = isGit ? undefined : value(/^(?:-i|--input=?)(.*)$/s);
  const files = [
    ...(isGit ? names.filter((name) => name !== '-') : [...names.slice(1), ...(input === undefined ? [] : [input])]),
    ...sent.flatMap(({ body, word }) => (body === undefined ? [word.value] : [])),
  ];
  if (files.length + texts.length === 0 || sent.some(({ word, body }) => body === undefined && !isLiteral(word)))
    return 'unknown';
  const strip = value(/^(?:-p|--strip=?)(.*)$/s);
  const at = argv.indexOf('-C');
  return {
    files,
    texts,
    folder: isGit && at > 0 && at < verbAt ? (argv[at + 1] ?? '.') : '.',
    below: value(isGit ? /^--directory=?(.*)$/s : /^(?:-d|--directory=?)(.*)$/s) ?? '.',
    strip: strip === undefined ? (isGit ? 1 : undefined) : Number(strip),
  };
}

function stripped(name: string, strip: number | undefined): readonly string[] {
  const parts = name.split('/');
  if (strip !== undefined) return [parts.slice(Math.min(strip, parts.length - 1)).join('/')];
  return [name, parts.slice(1).join('/'), parts.at(-1) ?? ''].filter((one) => one !== '');
}
