import { type Command, commandOfArgv, isLiteral } from '../../shell/parse/line.ts';
import { isPrinter } from '../../shell/programs/textPrograms.ts';
import { programName, shells } from '../../shell/programs/wrapperTable.ts';

/** Longer texts are a file's content, not a command that somebody hid. */
const maxText = 4_000;
const maxTexts = 40;

/** Messages of git and names of npm's scripts are no commands; sed's script has a reader of its own. */
const messengers = /^(?:git|npm|pnpm|yarn|cargo|go|pip|apt|apt-get|brew|sed|gsed)$/;

/**
 * Texts of a line that something may run although it is not known to: words with blanks, values behind `=`, what is sent to
 * an interpreter, and what is printed into a shell.
 */
export function looseTexts(commands: readonly Command[]): readonly string[] {
  const isSent = commands.some(
    ({ argv, piped }) =>
      piped && (shells.has(programName(argv[0] ?? '')) || /^(?:xargs|parallel|ssh|eval)$/.test(argv[0] ?? '')),
  );
  const texts = commands.flatMap((command) => {
    const name = programName(command.argv[0] ?? '');
    if (isPrinter(name)) return isSent ? printed(command, name) : [];
    const bodies = command.redirects.flatMap(({ body }) => (body === undefined ? [] : [body]));
    const words = messengers.test(name) ? [] : command.words.slice(1).filter(isLiteral);
    const values = [...words, ...command.assignments.map(({ value }) => value)].flatMap(({ value }) => {
      const behind = /^[\w.-]+=(.+)$/s.exec(value)?.[1];
      return behind === undefined ? [value] : [value, behind];
    });
    return [...values.filter((value) => /\s/.test(value.trim())), ...bodies];
  });
  return texts.filter((text) => text.length <= maxText).slice(0, maxTexts);
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
