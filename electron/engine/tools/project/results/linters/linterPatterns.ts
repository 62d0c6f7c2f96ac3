import { type Issue, issueOf } from '../base/issue.ts';

/** A format in which one pattern finds each issue. Its groups: `file`, `line`, `column`, `severity`, `rule` (or `code`), `message`. */
interface Format {
  readonly pattern: RegExp;
  /** Where the text names none; an error otherwise. */
  readonly severity?: 'warning';
  readonly message?: string;
  /** Columns are counted from this; 1 otherwise. */
  readonly firstColumn?: 0;
}

/** What formatters say of files that they would change. */
const unformatted = { severity: 'warning', message: 'not formatted' } as const;

const formats: readonly Format[] = [
  // eslint's and stylelint's compact format: `file: line 1, col 2, Error - message (rule)`
  {
    pattern:
      /^(?<file>\S.*): line (?<line>\d+), col (?<column>\d+), (?<severity>\w+) - (?<message>.*?)(?: \((?<rule>\S+)\))?$/gm,
  },
  // tsc, MSBuild and Microsoft's compilers: `a.ts(3,4): error TS2322: message`
  {
    pattern:
      /^[ \t]*(?<file>[^\s()][^()\n]*)\((?<line>\d+)(?:,(?<column>\d+))?(?:,\d+,\d+)?\) ?: (?:fatal )?(?<severity>error|warning|info) (?<rule>[A-Z]+\d+): (?<message>.*?)(?: \[[^\]\n]+\.\w*proj(?:::[^\]\n]*)?\])?$/gm,
  },
  // tsc for people, pyright: `a.ts:3:4 - error TS2322: message`, `- error: message (rule)`
  {
    pattern:
      /^[ \t]*(?<file>(?:[A-Za-z]:[\\/])?[^\s:][^:\n]*):(?<line>\d+):(?<column>\d+) - (?<severity>error|warning|info|information)(?: (?<code>TS\d+))?: (?<message>.*?)(?: \((?<rule>report\w+)\))?$/gm,
  },
  // oxlint: `  ⚠ eslint(no-unused-vars): message`, and `   ╭─[src/a.ts:1:7]` below (`,-[` without Unicode)
  {
    pattern:
      /^ *(?<severity>[⚠×!x]) (?:(?<rule>[\w-]+\([\w@/-]+\)): )?(?<message>.+(?:\n *│ .+)*)\n *(?:╭─|,-)\[(?<file>.+):(?<line>\d+):(?<column>\d+)\]$/gm,
  },
  // Maven's compiler: `[ERROR] /p/A.java:[3,5] message`
  {
    pattern:
      /^\[(?<severity>ERROR|WARNING)\] (?<file>\S.*):\[(?<line>\d+),(?<column>\d+)\] (?:error: )?(?<message>.*)$/gm,
  },
  // esbuild: `✘ [ERROR] message`, then `    src/a.ts:3:4:`
  {
    pattern:
      /^[✘▲X>] \[(?<severity>ERROR|WARNING)\] (?<message>.*?)(?: \[(?<rule>[\w-]+)\])?\n\n {4}(?<file>\S.*?):(?<line>\d+):(?<column>\d+):$/gm,
    firstColumn: 0,
  },
  // CMake: `CMake Error at CMakeLists.txt:3 (message):`, then the message
  {
    pattern:
      /^CMake (?<severity>Error|Warning)(?: \(dev\))? at (?<file>\S+):(?<line>\d+) \(.*\):\n(?<message>(?: {2}.*\n?|\n(?= {2}))*)/gm,
  },
  // linkers name no line
  {
    pattern:
      /^(?:\S*ld(?:\.\w+)?: )?(?:\S+: )?(?:(?<file>\S+\.\w+):)?\(\.\w+\+0x[\da-f]+\): (?<message>undefined reference to .*)$/gm,
  },
  // prettier, black and ruff, rustfmt, gofmt by its differences, clang-format
  { pattern: /^\[warn\] (?!Code style issues)(?<file>\S.*\.\w+)$/gm, ...unformatted },
  { pattern: /^[Ww]ould reformat:? (?<file>\S.*)$/gm, ...unformatted },
  { pattern: /^Diff in (?<file>\S.*?\.rs):(?<line>\d+):?$/gm, ...unformatted },
  { pattern: /^diff (?:-u )?(?<file>\S+)\.orig \S+$/gm, ...unformatted },
  { pattern: /^error: (?<file>\S.*?):\d+:\d+: code should be clang-formatted/gm, ...unformatted },
  // prettier, of what it cannot read
  {
    pattern: /^\[error\] (?<file>\S.*?): (?<message>\w*Error: .*?)(?: \((?<line>\d+):(?<column>\d+)\))?$/gm,
  },
];

export function parsePatterns(text: string): readonly Issue[] {
  return formats.flatMap(({ pattern, severity, message, firstColumn = 1 }) =>
    [...text.matchAll(pattern)].map(({ groups = {} }) =>
      issueOf({
        severity: groups['severity'] ?? severity,
        message: (groups['message'] ?? message)?.replace(/\s*\n[ │]*/g, ' '),
        file: groups['file'],
        line: groups['line'],
        column: groups['column'] === undefined ? undefined : Number(groups['column']) + 1 - firstColumn,
        rule: groups['code'] ?? groups['rule'],
      }),
    ),
  );
}
