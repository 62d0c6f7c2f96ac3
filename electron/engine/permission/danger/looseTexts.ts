import { type Command, commandOfArgv, isLiteral } from '../../shell/parse/line.ts';
import { programName } from '../../shell/programs/program.ts';
import { programOf } from '../../shell/programs/programs.ts';

/** Longer texts are a file's content, not a command that somebody hid. */
const maxText = 4_000;
const maxTexts = 40;

/**
 * Texts of a line that something may run although it is not known to: words with blanks, values behind `=`, what is sent to
 * an interpreter, and what is printed into a shell.
 */
export function looseTexts(commands: readonly Command[]): readonly string[] {
  const isSent = commands.some(
    ({ argv, piped }) =>
      (piped && (programOf(argv[0] ?? '').shell === 'posix' || /^(?:xargs|parallel|ssh|eval)$/.test(argv[0] ?? ''))) ||
      /^(?:source|\.)$/.test(argv[0] ?? ''),
  );
  const texts = commands.flatMap((command) => {
    const name = programName(command.argv[0] ?? '');
    const { words: kind } = programOf(name);
    if (kind === 'text' || kind === 'names') return isSent ? printed(command, name) : [];
    const bodies = command.redirects.flatMap(({ body }) => (body === undefined ? [] : [body]));
    const words = kind === 'messages' ? [] : command.words.slice(1).filter(isLiteral);
    const values = [...words, ...command.assignments.map(({ value }) => value)].flatMap(({ value }) => {
      const behind = /^[\w.-]+=(.+)$/s.exec(value)?.[1];
      return behind === undefined ? [value] : [value, behind];
    });
    return [...values.filter((value) => /[\s(]/.test(value.trim())), ...unfolded(command), ...bodies];
  });
  return texts.filter((text) => text.length <= maxText).slice(0, maxTexts);
}

/** `{rm,-rf,/}` and `rm$IFS-rf$IFS/` become several words only when they run. */
function unfolded({ words: [first] }: Command): readonly string[] {
  if (first === undefined || isLiteral(first)) return [];
  const text = first.raw
    .replace(/\$\{?IFS\b\}?(?:\$\d)?/g, ' ')
    .replace(/^\{(.*)\}$/s, (_, list: string) => list.replaceAll(',', ' '));
  return text === first.raw ? [] : [text];
}

function printed(command: Command, name: string): readonly string[] {
  const bodies = command.redirects.flatMap(({ body }) => (body === undefined ? [] : [body]));
  return name === 'echo' || name === 'printf' ? [command.argv.slice(1).join(' '), ...bodies] : bodies;
}

/** The words of a program text of any language: `system("rm -rf /")`, `['rm', '-rf', '/']`. */
export function looseWords(text: string): Command {
  const argv = text
    .split(/[^\w@%+=:./~$*-]+/)
    .filter((word) => word !== '')
    .slice(0, 1_000);
  return commandOfArgv(argv);
}
