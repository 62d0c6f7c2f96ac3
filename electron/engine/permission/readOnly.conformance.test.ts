import { describe, expect, test } from 'vitest';
import { commandOfArgv } from '../shell/parse/line.ts';
import { parseLine } from '../shell/parse/parseLine.ts';
import { isReadOnlyCommand } from '../shell/readOnly.ts';
import { corpus, whyMissing } from '../shell/testing/corpus.ts';
import { inspectCommand } from './inspectCommand.ts';
import { allowed, judge, protectedPath } from './testing/judge.ts';

interface SafetyRow {
  readonly id: string;
  readonly fn: string;
  readonly argv: readonly string[];
  readonly expected: boolean;
}

describe.skipIf(whyMissing)(`commands known to be safe${whyMissing}`, () => {
  const rows = corpus<SafetyRow>('shell/codex-command-safety.jsonl').filter(
    ({ fn }) => fn !== 'command_might_be_dangerous',
  );

  /**
   * Rules that differ. `git status` refreshes the index unless told not to: for the data that is a write, for ours
   * (and for other recorded data) not. Two rows repeat a Linux row with the answer for other systems.
   */
  const otherRule = ({ argv, expected }: SafetyRow) =>
    expected
      ? /^(?:cargo|rustc|node|python)$/.test(argv[0] ?? '')
      : /(?:^| )git status$/.test(argv.join(' ')) || /^(?:numfmt|tac)$/.test(argv[0] ?? '');

  test('few rows follow another rule', () => {
    expect(rows.filter(otherRule).map(({ argv }) => argv.join(' '))).toEqual([
      'numfmt 1000',
      'tac Cargo.toml',
      'git status',
      'bash -lc git status',
      'bash -lc git status',
      'cargo --version',
      'rustc -vV',
      'node -v',
      'python -V',
    ]);
  });

  test.each(rows.filter((row) => !otherRule(row)))('$id $argv', ({ argv, expected }) => {
    expect(isReadOnlyCommand(commandOfArgv(argv))).toBe(expected);
  });
});

interface ApproveRow {
  readonly id: string;
  readonly command: string;
  readonly label: 'read-only-safe' | 'must-ask' | 'allowed';
  readonly rules?: Readonly<Record<string, boolean>>;
}

describe.skipIf(whyMissing)(`commands that need no question${whyMissing}`, () => {
  const rows = corpus<ApproveRow>('shell/vscode-auto-approve.jsonl');

  test.each(rows.filter(({ rules }) => !rules))('$id $command', ({ command, label }) => {
    const { readOnly, verdict } = inspectCommand(command, { protectedPath });
    const safe = label === 'read-only-safe';
    expect({ readOnly, verdict }).toEqual({ readOnly: safe, verdict: safe ? 'allow' : 'ask' });
  });

  /** Rules by regular expression do not exist here. */
  const plain = rows.filter(({ rules }) => rules && !Object.keys(rules).some((name) => name.startsWith('/')));

  test.each(plain)('$id $command with rules', ({ command, rules, label }) => {
    const { verdict } = judge(command, { rules: allowed(...Object.keys(rules ?? {})) });
    expect(verdict).toBe(label === 'allowed' ? 'allow' : 'ask');
  });
});

test('the commands that are listed are the simple commands of the line', () => {
  const { parts, readOnly, verdict, why } = inspectCommand('[ -f a ] && sudo rm -rf / > x; > y', { protectedPath });
  expect({ parts, readOnly, verdict, why }).toEqual({
    parts: [{ argv: ['sudo', 'rm', '-rf', '/'] }],
    readOnly: false,
    verdict: 'ask',
    why: ['deletes everything (/)'],
  });
  expect(parseLine('> y').commands).toHaveLength(1);
});
