import type { Command, Word } from './parse/line.ts';
import { isLiteral } from './parse/line.ts';
import { keepsTo, mayBecomeOption, type Options } from './programs/options.ts';
import { optionValues, type Program, split } from './programs/program.ts';
import { programOf } from './programs/programs.ts';

/** Names of options that name a program, a file or a configuration, whatever the program. */
const reaching =
  /^--?(?:no-)?(?:.*-)?(?:config(?:uration|-file|s)?|rc|rcfile|settings|env-file|environment|out|output|outfile|outdir|dest(?:ination)?|target|target-dir(?:ectory)?|directory|dir|cwd|chdir|root|rootdir|prefix|base-?temp|temp|tmp|cache|log-?file|report|trace|dump|profile|plugins?|preset|loader|import|require|include|module|extension|resolver|parser|reporter|formatter|runner|transform(?:er)?|setup|global-?setup|exec(?:utable|-path)?|program|command|cmd|script(?:-shell)?|shell|interpreter|compiler|linker|wrapper|tool|vettool|toolexec|editor|pager|filter|hook|eval|init|file|path|save|write|fix|apply|in-?place|delete|modify|overlay|upload|data|template|url|proxy|registry|node-options|java-options|jvm-args|\w*(?:dir|path|file|config)s?)(?:=|$)/i;
/** Letters that mean one of these for programs of which nothing is known. */
const reachingLetters = /^-[A-Za-z]*[cCoxeEKfIXD]/;

/**
 * Whether what stands behind the first `from` words of a command may be left open by a rule (C10): no option there names a
 * program, a file or a configuration. Of a known program only its listed options are open, of others those that do not
 * look like it. A rule that ends with an option leaves nothing open: what follows is its value.
 */
export function leavesOpen(command: Command, from: number): boolean {
  const { words, argv } = command;
  const rest = words.slice(from);
  const program = programOf(argv[0] ?? '');
  const isOpenEnded = /^(?:xargs|parallel)$/.test(command.via.at(-1) ?? '');
  if (rest.length === 0 && !isOpenEnded) return true;
  if (program.reads === true && !rest.some(({ value }) => unsafeInReaders.test(value))) return true;
  // More words come when it runs, and any of them may be an option.
  if (isOpenEnded) return false;
  const opens = program.opens ?? (typeof program.reads === 'function' && !program.open ? program.reads : undefined);
  if (opens) return opens(rest);
  const open = openOptions(program, argv);
  const last = argv[from - 1] ?? '';
  if (from > 1 && last.startsWith('-') && last !== '--' && !(open && keepsTo(words.slice(from - 1, from), open)))
    return false;
  if (open === undefined) return rest.every((word) => isOpenWord(word, program.names === 'git' ? {} : program));
  const end = rest.findIndex(({ value }) => value === '--');
  if (end < 0 || program.behindDashes === undefined) return keepsTo(rest, open);
  const behind = rest.slice(end + 1);
  const isOpen =
    program.behindDashes === 'guessed'
      ? behind.every((word) => isOpenWord(word, {}))
      : keepsTo(behind, program.behindDashes);
  return keepsTo(rest.slice(0, end), open) && isOpen;
}

/** Some systems have ugrep under the name of grep. */
const unsafeInReaders = /^--(?:filter|pager|save-config|view)/;

function openOptions({ open, reads }: Program, argv: readonly string[]): Options | undefined {
  if (typeof open === 'function') return open(argv);
  return open ?? (typeof reads === 'object' ? reads : undefined);
}

function isOpenWord(word: Word, { names, outputs, takes, inline }: Partial<Program>): boolean {
  if (mayBecomeOption(word)) return false;
  const { value } = word;
  if (!/^-./.test(value)) return true;
  if (!isLiteral(word) || reaching.test(value) || inline?.test(value)) return false;
  if (names === undefined || names === '') return !reachingLetters.test(value);
  if (outputs && optionValues([word, word], split(outputs)).length > 0) return false;
  const letters = takes?.map(({ short = '' }) => short).join('') ?? '';
  return !(letters !== '' && /^-[^-]/.test(value) && [...value].some((letter) => letters.includes(letter)));
}
