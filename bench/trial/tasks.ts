// Twelve tasks on packages as npm has them, and replies as weak models write them. `work` is what the model does once it
// may write; in the phased mode the runner puts the reports around it. What the files must hold in the end is computed
// from the package by plain text replacement, never by the tools that are tried.

export interface Reply {
  readonly text?: string;
  readonly calls?: readonly { readonly tool: string; readonly input: unknown }[];
}

type Files = (path: string) => string;
type Outcome = 'done' | 'answered' | 'incomplete';

export interface Task {
  readonly name: string;
  readonly package: string;
  readonly ask: string;
  /** Files of each step of the plan; none for a question. */
  readonly steps: readonly (readonly string[])[];
  /** Before anything was reported. */
  readonly early?: (files: Files) => readonly Reply[];
  readonly work: (files: Files) => readonly Reply[];
  /** Content of each file that is to be other than in the package; null: gone. */
  readonly expected: (files: Files) => Readonly<Record<string, string | null>>;
  readonly outcome: Outcome;
  /** The model stops without a report of done. */
  readonly stops?: boolean;
  /** Requests that the task may cost. */
  readonly requests?: number;
}

const call = (tool: string, input: unknown) => ({ tool, input });
const edit = (filePath: string, oldStr: string, newStr: string) => call('edit_file', { filePath, oldStr, newStr });
const run = (command: string) => call('run', { command });
const read = (filePath: string) => call('read_file', { filePath });
const patch = (diff: string) => call('apply_unified_diff', { diff });

/** Replaces each passage, which must be there. */
function changed(text: string, ...pairs: readonly (readonly [string, string])[]): string {
  let now = text;
  for (const [from, to] of pairs) {
    if (!now.includes(from)) throw new Error(`The package has no passage "${from}" any more; choose another.`);
    now = now.replace(from, () => to);
  }
  return now;
}

/** A hunk that replaces one line, with a line of context on either side; `at` is its 0-based number. */
function hunk(lines: readonly string[], at: number, now: string, header?: string): string {
  const [before = '', old = '', after = ''] = lines.slice(at - 1, at + 2);
  return `${header ?? `@@ -${at},3 +${at},3 @@`}\n ${before}\n-${old}\n+${now}\n ${after}\n`;
}

const limiter = 'lib/limiter.js';
const constants = 'lib/constants.js';
const lineWith = (text: string, part: string): number => {
  const at = text.split('\n').findIndex((line) => line.includes(part));
  if (at < 1) throw new Error(`The package has no line with "${part}" any more; choose another.`);
  return at;
};

export const tasks: readonly Task[] = [
  {
    name: 'three edits of one file in one reply',
    package: 'ws',
    ask: 'Rename the two symbols of the limiter and correct its first comment.',
    steps: [[limiter]],
    work: () => [
      {
        calls: [
          edit(limiter, "const kDone = Symbol('kDone');", "const kDone = Symbol('done');"),
          edit(limiter, "const kRun = Symbol('kRun');", "const kRun = Symbol('run');"),
          edit(limiter, 'A very simple job queue', 'A small job queue'),
        ],
      },
    ],
    expected: (files) => ({
      [limiter]: changed(
        files(limiter),
        ["Symbol('kDone')", "Symbol('done')"],
        ["Symbol('kRun')", "Symbol('run')"],
        ['A very simple job queue', 'A small job queue'],
      ),
    }),
    outcome: 'done',
  },
  {
    name: 'an edit before its phase, made again when it is due',
    package: 'ws',
    ask: 'Describe the package as small.',
    steps: [['package.json']],
    early: () => [{ calls: [edit('package.json', '"description": "Simple', '"description": "Small, simple')] }],
    work: () => [{ calls: [edit('package.json', '"description": "Simple', '"description": "Small, simple')] }],
    expected: (files) => ({
      'package.json': changed(files('package.json'), ['"description": "Simple', '"description": "Small, simple']),
    }),
    outcome: 'done',
  },
  {
    name: 'a command makes a file, and the same reply reads and edits it',
    package: 'zustand',
    ask: 'Add NOTES.md.',
    steps: [['NOTES.md']],
    work: () => [
      { calls: [run("printf 'one\\ntwo\\n' > NOTES.md"), read('NOTES.md'), edit('NOTES.md', 'two', 'TWO')] },
    ],
    expected: () => ({ 'NOTES.md': 'one\nTWO\n' }),
    outcome: 'done',
  },
  {
    name: 'a step that a command does alone',
    package: 'ws',
    ask: 'Say in the readme that this is a copy.',
    steps: [['README.md'], ['COPY']],
    work: () => [{ calls: [run("sed -i '1s/.*/# ws, a copy/' README.md")] }, { calls: [run('echo copy > COPY')] }],
    expected: (files) => ({ 'README.md': files('README.md').replace(/^.*/, '# ws, a copy'), COPY: 'copy\n' }),
    outcome: 'done',
  },
  {
    name: 'a patch with its hunks out of order',
    package: 'ws',
    ask: 'Default to four jobs, and name the limiter.',
    steps: [[limiter]],
    work(files) {
      const lines = files(limiter).split('\n');
      const late = hunk(
        lines,
        lineWith(files(limiter), 'this.concurrency = '),
        '    this.concurrency = concurrency || 4;',
      );
      const early = hunk(lines, lineWith(files(limiter), 'class Limiter {'), 'class JobLimiter {');
      return [{ calls: [patch(`--- a/${limiter}\n+++ b/${limiter}\n${late}${early}`)] }];
    },
    expected: (files) => ({
      [limiter]: changed(
        files(limiter),
        ['class Limiter {', 'class JobLimiter {'],
        ['concurrency || Infinity;', 'concurrency || 4;'],
      ),
    }),
    outcome: 'done',
  },
  {
    name: 'the output of diff -ruN, with a file made and a file gone',
    package: 'ws',
    ask: 'Apply this patch.',
    steps: [['SECURITY.md', 'browser.js']],
    work(files) {
      const stamp = '2026-11-22 10:00:00.000000000 +0100';
      const epoch = '1970-01-01 01:00:00.000000000 +0100';
      const gone = files('browser.js').replace(/\n$/, '').split('\n');
      return [
        {
          calls: [
            patch(
              [
                'diff -ruN old/SECURITY.md new/SECURITY.md',
                `--- old/SECURITY.md\t${epoch}`,
                `+++ new/SECURITY.md\t${stamp}`,
                '@@ -0,0 +1 @@',
                '+Write to us.',
                'diff -ruN old/browser.js new/browser.js',
                `--- old/browser.js\t${stamp}`,
                `+++ new/browser.js\t${epoch}`,
                `@@ -1,${gone.length} +0,0 @@`,
                ...gone.map((line) => `-${line}`),
                '',
              ].join('\n'),
            ),
          ],
        },
      ];
    },
    expected: () => ({ 'SECURITY.md': 'Write to us.\n', 'browser.js': null }),
    outcome: 'done',
  },
  {
    name: 'an envelope without any line numbers',
    package: 'ws',
    ask: 'Name the constants, and note the change.',
    steps: [[constants, 'CHANGES']],
    work: () => [
      {
        calls: [
          patch(
            [
              '*** Begin Patch',
              `*** Update File: ${constants}`,
              '@@',
              "-'use strict';",
              "+'use strict'; // constants",
              '*** Add File: CHANGES',
              '+constants are named',
              '*** End Patch',
            ].join('\n'),
          ),
        ],
      },
    ],
    expected: (files) => ({
      [constants]: changed(files(constants), ["'use strict';", "'use strict'; // constants"]),
      CHANGES: 'constants are named\n',
    }),
    outcome: 'done',
  },
  {
    name: 'a question costs one request',
    package: 'zod',
    ask: 'What is this package for?',
    steps: [],
    work: () => [{ text: 'It checks the shape of data.' }, { text: 'It checks the shape of data.' }],
    expected: () => ({}),
    outcome: 'answered',
    requests: 1,
  },
  {
    name: 'a mistake that only the check shows, mended while verifying',
    package: 'ws',
    ask: 'Let the limiter start with one job.',
    steps: [[limiter]],
    work: () => [
      { calls: [edit(limiter, 'this.pending = 0;', 'this.pending = (1;')] },
      { calls: [run(`node --check ${limiter}`)] },
      { calls: [edit(limiter, 'this.pending = (1;', 'this.pending = 1;'), run(`node --check ${limiter}`)] },
    ],
    expected: (files) => ({ [limiter]: changed(files(limiter), ['this.pending = 0;', 'this.pending = 1;']) }),
    outcome: 'done',
  },
  {
    name: 'a call that is written as text',
    package: 'ws',
    ask: 'Add a file that says hello.',
    steps: [['hello.txt']],
    work: () => [
      {
        text: `I write it now.\n<tool_call>${JSON.stringify({
          type: 'tool_call',
          tool: 'write_file',
          arguments: { filePath: 'hello.txt', content: 'hello\n' },
        })}</tool_call>`,
      },
    ],
    expected: () => ({ 'hello.txt': 'hello\n' }),
    outcome: 'done',
  },
  {
    name: 'a wrong passage, then the right one, and a repository of its own',
    package: 'ws',
    ask: 'Correct the readme and commit nothing.',
    steps: [['LICENSE']],
    work: () => [
      { calls: [edit('LICENSE', 'Copyright (c) nobody', 'Copyright (c) somebody')] },
      {
        calls: [
          run('git init -q .'),
          call('git_status', {}),
          edit('LICENSE', 'Permission is hereby', 'Permission is herewith'),
        ],
      },
    ],
    expected: (files) => ({ LICENSE: changed(files('LICENSE'), ['Permission is hereby', 'Permission is herewith']) }),
    outcome: 'done',
  },
  {
    name: 'work that is left undone is told so',
    package: 'ws',
    ask: 'Change the constants and the limiter.',
    steps: [[constants], [limiter]],
    work: () => [
      { calls: [edit(constants, "'use strict';", "'use strict'; // first"), edit(limiter, 'not in there', 'x')] },
      { text: 'Everything is done.' },
      { text: 'Everything is done.' },
    ],
    expected: (files) => ({ [constants]: changed(files(constants), ["'use strict';", "'use strict'; // first"]) }),
    outcome: 'incomplete',
    stops: true,
  },
];
