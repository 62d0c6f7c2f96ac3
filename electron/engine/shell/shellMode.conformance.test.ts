import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shellMode } from './shellMode.ts';

const corpora = process.env['VISE_CORPORA'] ?? join(import.meta.dirname, '../../../../shared/corpora');
const file = join(corpora, 'shell/jaato-shell-detection.jsonl');
const missing = !existsSync(file);

interface Row {
  readonly command: string;
  readonly jaato_2025_12: boolean;
  readonly shlex_argv: readonly string[] | null;
  readonly shlex_error: string | null;
}

/** Rows that are ruled otherwise than by the recorded program: quoting, expansions, globs, built-ins, line ends. */
const ruledOtherwise = new Set([
  'sleep 10 & echo done',
  'grep -r "a|b" src',
  "grep -r 'a|b' src",
  'echo "a > b"',
  "echo 'a && b'",
  'echo "a;b"',
  'echo \\; x',
  'echo \\| x',
  'echo $HOME',
  'echo ${HOME}',
  'echo "$HOME"',
  'ls *.ts',
  'ls ?.ts',
  'ls [ab].ts',
  'ls ~',
  'ls ~/x',
  'cd ~/src',
  'FOO=bar cmd',
  'FOO=bar BAZ=1 node x.js',
  'cd /tmp',
  'export FOO=1',
  'source ./env.sh',
  '. ./env.sh',
  "alias ll='ls -la'",
  '(ls)',
  '! grep x y',
  '[[ -f a ]]',
  'echo a # comment',
  "git log --format='%h|%s'",
  'python -c "print(1); print(2)"',
  'python -c \'import os; print(os.environ["HOME"])\'',
  'node -e "console.log(1 > 0)"',
  'powershell -Command "Get-ChildItem | Select Name"',
  'exec ls',
  'type C:\\x.txt',
  ':',
]);

describe.skipIf(missing)(`shell detection as recorded${missing ? ' (skipped: no corpora folder)' : ''}`, () => {
  const rows = missing
    ? []
    : readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Row);

  test('every row agrees but for those the specification rules otherwise', () => {
    const different = rows.filter(
      ({ command, jaato_2025_12 }) => (shellMode(command, 'linux').mode === 'shell') !== jaato_2025_12,
    );
    expect(different.map(({ command }) => command).toSorted()).toEqual([...ruledOtherwise].toSorted());
  });

  test('words of direct commands are those of shlex', () => {
    const wrong = rows.flatMap(({ command, shlex_argv, shlex_error }) => {
      const mode = shellMode(command, 'linux');
      if (mode.mode !== 'direct' || shlex_error !== null) return [];
      return JSON.stringify(mode.argv) === JSON.stringify(shlex_argv) ? [] : [{ command, argv: mode.argv }];
    });
    expect(wrong).toEqual([]);
  });
});
