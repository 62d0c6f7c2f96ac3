import { describe, expect, test } from 'vitest';
import { type Command, isLiteral } from '../shell/parse/line.ts';
import { parseLine } from '../shell/parse/parseLine.ts';
import { isReadOnly } from '../shell/readOnly.ts';
import { corpus, whyMissing } from '../shell/testing/corpus.ts';
import { projectPath } from './rules/ruleContext.ts';

const words = (command: Command) => [
  ...command.assignments.map(({ name, value }) => `${name}=${value.value}`),
  ...command.argv,
];

interface PlainRow {
  readonly id: string;
  readonly script: string;
  readonly expected: readonly (readonly string[])[] | null;
}

describe.skipIf(whyMissing)(`plain commands${whyMissing}`, () => {
  /** The data refuses all but plain words and `&& || ; |`; ours reads more, so a refusal agrees when ours says "not plain". */
  test.each(corpus<PlainRow>('shell/codex-plain-command-parse.jsonl'))('$id $script', ({ script, expected }) => {
    const { commands, unparsable } = parseLine(script);
    const plain = commands.every(
      (command) =>
        !command.dynamic && command.places.length + command.assignments.length + command.redirects.length === 0,
    );
    expect(unparsable === undefined && plain ? commands.map(words) : null).toEqual(expected);
  });
});

interface SubRow {
  readonly id: string;
  readonly command: string;
  readonly subCommands: readonly string[];
}

describe.skipIf(whyMissing)(`commands within commands${whyMissing}`, () => {
  /** The data splits what is no valid line as far as it goes; ours has no certain commands then, and asks (C3). */
  const invalid = (row: SubRow) => parseLine(row.command).unparsable !== undefined;
  const rows = corpus<SubRow>('shell/vscode-subcommands.jsonl');

  test('only lines that a shell refuses are left out', () => {
    expect(rows.filter(invalid).map(({ command }) => command)).toEqual([
      'echo "unclosed quote && ls',
      'echo $(missing closing && ls',
      'echo hello && && echo world',
      '&& || ;',
    ]);
  });

  test.each(rows.filter((row) => !invalid(row)))('$id $command', ({ command, subCommands }) => {
    const found = parseLine(command).commands.filter(({ kind }) => kind === 'command');
    expect(found.map(words)).toEqual(subCommands.map((sub) => parseLine(sub).commands.map(words)[0]));
  });
});

interface WriteRow {
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  readonly auto_ok_inside_workspace: boolean;
}

describe.skipIf(whyMissing)(`files that are written${whyMissing}`, () => {
  /** Where one file is known to lie inside, everything else only prints, and nothing changes links on the way. */
  const inside = ({ command, cwd }: WriteRow): boolean => {
    const { commands } = parseLine(command);
    const targets = commands
      .flatMap(({ redirects }) => redirects)
      .filter(({ write, target }) => write && target !== '/dev/null');
    const paths = targets.map(({ word, target }) => (isLiteral(word) ? projectPath(target, cwd, cwd) : '/unknown'));
    const writers = commands.filter(({ argv }) => !/^(?:echo|printf|cat)$/.test(argv[0] ?? ''));
    return paths.every((path) => !path.startsWith('/')) && writers.length === 0;
  };
  /** Rules of the data for shells other than ours: history expansion, cmd.exe variables, and one file a line. */
  const otherRule = ({ command }: WriteRow) =>
    /!(?!')/.test(command.replace(/\\!|'[^']*'/g, '')) ||
    /%\w+%/.test(command) ||
    /> file1\.txt && .* > file2/.test(command);
  const rows = corpus<WriteRow>('shell/vscode-file-write-targets.jsonl');

  test('few rows follow another rule', () => {
    expect(rows.filter(otherRule).map(({ id }) => id)).toEqual(
      ['22', '23', '24', '26', '30'].map((number) => `vscode-write/${number}`),
    );
  });

  test.each(rows.filter((row) => !otherRule(row)))('$id $command', (row) => {
    expect(inside(row)).toBe(row.auto_ok_inside_workspace);
  });

  test.each(rows.filter(({ command }) => />/.test(command) && !command.endsWith('> /dev/null')))(
    '$id is not read-only',
    ({ command }) => {
      expect(isReadOnly(command)).toBe(false);
    },
  );
});
