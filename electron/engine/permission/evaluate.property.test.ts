import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseLine } from '../shell/parse/parseLine.ts';
import { isReadOnly } from '../shell/readOnly.ts';
import { deepCommands } from '../shell/unwrap.ts';
import { inspectCommand } from './inspectCommand.ts';
import { allowed, judge, protectedPath } from './testing/judge.ts';

/** Texts made of what shells give meaning to; plain random texts hardly ever form a command. */
const shellish = fc
  .array(
    fc.constantFrom(
      ...[
        'a',
        'ls',
        'rm',
        'x=1',
        ' ',
        ' ',
        '\n',
        '\r',
        ';',
        '&',
        '|',
        '<',
        '>',
        '(',
        ')',
        '{',
        '}',
        '$',
        '`',
        '"',
        "'",
        '\\',
      ],
      ...[
        '$(',
        '${',
        '$((',
        '))',
        '<<E\n',
        '\nE\n',
        '[[ ',
        ' ]]',
        'if ',
        'then ',
        'fi',
        'for ',
        'in ',
        'do ',
        'done',
        'case ',
        'esac',
        '#',
      ],
      ...['sh -c ', 'sudo ', 'find . -exec ', 'git -c ', '~', '*', '[', ']', '!', '$X', '{a,b}', '\u202e', '测'],
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(''));

test('nothing throws on any text', () => {
  fc.assert(
    fc.property(fc.oneof(shellish, fc.string({ unit: 'binary', maxLength: 60 })), (text) => {
      deepCommands(parseLine(text));
      parseLine(text, { platform: 'win32' });
      isReadOnly(text);
      inspectCommand(text, { protectedPath });
    }),
    { numRuns: 3_000 },
  );
});

const covered = fc.constantFrom(
  'cat a',
  'grep -n "x y" b',
  "cat 'a;b'",
  'npm run test -- --x',
  'cat a | grep b',
  'cat "$F"',
);
const rules = allowed('cat', 'grep', 'npm run test');

test('covered lines are allowed, however they are joined', () => {
  const join = fc.constantFrom(' && ', '; ', ' || ', ' | ', '\n', ' & ');
  fc.assert(
    fc.property(covered, join, covered, (first, between, second) => {
      expect(judge(`${first}${between}${second}`, { rules }).verdict).toBe('allow');
    }),
  );
});

test('no set of allow rules allows a line with one more simple command', () => {
  const around = fc.constantFrom<(line: string, extra: string) => string>(
    ...(['&&', '||', ';', '|', '|&', '&', '\n', '\r\n', '\r', ';;', '&>'] as const).flatMap((operator) => [
      (line: string, extra: string) => `${line}${operator}${extra}`,
      (line: string, extra: string) => `${extra} ${operator} ${line}`,
    ]),
    (line, extra) => `${line} $(${extra})`,
    (line, extra) => `${line} "\`${extra}\`"`,
    (line, extra) => `${line} <(${extra})`,
    (line, extra) => `${line} >(${extra})`,
    (line, extra) => `${line} \${x:-$(${extra})}`,
    (line, extra) => `${line} $(( $(${extra}) ))`,
    (line, extra) => `${line} <<E\n$(${extra})\nE`,
    (line, extra) => `${line} <<E\nE\n${extra}`,
    (line, extra) => `if ${line}; then ${extra}; fi`,
    (line, extra) => `for i in $(${extra}); do ${line}; done`,
    (line, extra) => `case $(${extra}) in x) ${line};; esac`,
    (line, extra) => `cat() { ${extra}; }; ${line}`,
    (line, extra) => `(${extra}); ${line}`,
    (line, extra) => `[[ a || ${extra} ]]; ${line}`,
    (line, extra) => `X=$(${extra}) ${line}`,
    (line, extra) => `X=1 ${extra}; ${line}`,
    (line, extra) => `${line} \\\n; ${extra}`,
    (line, extra) => `${line} #\n${extra}`,
    (line, extra) => `xargs ${extra}; ${line}`,
    (line, extra) => `${line} > $(${extra})`,
  );
  const extra = fc.constantFrom(
    'rm x',
    'evil',
    '/bin/cat a',
    'npm run',
    'npm run tester',
    'sudo cat a',
    '$X',
    './cat',
    "\\rm 'a b'",
    'CAT a',
    "r''m x",
  );
  fc.assert(
    fc.property(covered, around, extra, (line, combine, more) => {
      expect({ line: combine(line, more), verdict: judge(combine(line, more), { rules }).verdict }).toMatchObject({
        verdict: 'ask',
      });
    }),
    { numRuns: 2_000 },
  );
});

test('nothing that follows a proven line is taken for a command of it', () => {
  fc.assert(
    fc.property(shellish, (text) => {
      // A backslash at the end joins the next line to this one.
      if (text.endsWith('\\') || !isReadOnly(text)) return;
      expect({ text, readOnly: isReadOnly(`${text}\nevil`) }).toEqual({ text, readOnly: false });
    }),
    { numRuns: 5_000 },
  );
});
