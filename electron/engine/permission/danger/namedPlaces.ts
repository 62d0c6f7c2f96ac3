import { type Command, literalWord, type Word } from '../../shell/parse/line.ts';
import { gitVerbIndex } from '../../shell/programs/git.ts';
import { leavesOut, programName } from '../../shell/programs/program.ts';
import { programOf } from '../../shell/programs/programs.ts';
import { isReadOnlyCommand } from '../../shell/readOnly.ts';
import { withoutHead } from '../../shell/values.ts';

/** Verbs of git that write where their words say; the others only name what they look at, or write in `.git` itself. */
const gitWrites =
  /^(?:clone|init|worktree|apply|am|submodule|archive|bundle|format-patch|checkout-index|read-tree|fast-import|subtree|unpack-file|credential-store)$/;
/**
 * Words that name a file or folder of a command that is not proven to only read: any program may write where it is told
 * (P12). Texts, addresses and what options leave out name nothing.
 */
export function namedPlaces(command: Command): readonly Word[] {
  const { argv, words } = command;
  const program = programOf(argv[0] ?? '');
  if (program.words === 'text' || program.tellsWrites) return [];
  if (isReadOnlyCommand({ ...command, places: [], assignments: [], redirects: [] })) return [];
  if (packs(argv))
    return words.flatMap((word, index) =>
      index > 0 && /f$|^--file$/.test(argv[index - 1] ?? '') ? placesIn(word) : [],
    );
  const end = program.names === 'git' ? gitVerbIndex(argv) : words.length;
  const isWritten = gitWrites.test(argv[end] ?? '');
  return words.flatMap((word, index): readonly Word[] => {
    if (index === 0 || (index >= end && !isWritten)) return [];
    if (leavesOut.test(argv[index - 1] ?? '')) return [];
    return placesIn(word);
  });
}

/** What `tar` puts into an archive is read; the archive stands behind an `f`. */
const packs = ([name = '', letters = '']: readonly string[]): boolean =>
  programName(name) === 'tar' && /^-?[a-zA-Z]*c[a-zA-Z]*f$/.test(letters);

function placesIn(word: Word): readonly Word[] {
  const { value } = word;
  if (/\s/.test(value) || /^[a-z][\w+.-]*:\/\//i.test(value)) return [];
  const [head = '', option = ''] = /^(-{0,2}[\w.-]+)=/.exec(value) ?? [];
  if (head !== '') return leavesOut.test(option) ? [] : [withoutHead(word, head.length)];
  if (!value.startsWith('-')) return [word];
  // A value glued to letters: `-sSLo.git/config`.
  const glued = /^-[A-Za-z]+(?=[./~])/.exec(value)?.[0];
  return glued === undefined ? [] : [literalWord(value.slice(glued.length))];
}
