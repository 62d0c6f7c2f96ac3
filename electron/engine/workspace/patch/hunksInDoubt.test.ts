import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ok } from '../../../../shared/result.ts';
import { bytesFileOf, textFileOf } from '../textFile.ts';
import { unifiedDiff } from '../unifiedDiff.ts';
import { parsePatch } from './parsePatch.ts';
import type { PatchProblem } from './patchProblem.ts';
import { planPatch } from './planPatch.ts';

const facts = { mode: 0o644, modifiedAt: '2026-01-01T00:00:00.000Z' };

async function plan(files: Readonly<Record<string, string>>, patch: string) {
  const parsed = parsePatch(patch);
  if (!parsed.ok) return parsed;
  return planPatch(parsed.value, async (name) => {
    const text = files[name];
    const file = text === undefined ? undefined : textFileOf(bytesFileOf(Buffer.from(text), facts));
    return ok(file?.ok ? file.value : null);
  });
}

/** The texts after the patch; or why it was refused. */
async function patched(
  files: Readonly<Record<string, string>>,
  patch: string,
): Promise<Readonly<Record<string, string>> | readonly Partial<PatchProblem>[]> {
  const planned = await plan(files, patch);
  if (!planned.ok) {
    expect(planned.error.code).toBe('PATCH_FAILED');
    return planned.error.details as readonly PatchProblem[];
  }
  const result = { ...files };
  for (const { path, after } of planned.value.changes) {
    if (after && 'text' in after) result[path] = after.text;
    else delete result[path];
  }
  return result;
}

const names = '--- a/f\n+++ b/f\n';
const file = 'one\ntwo\n\n  three\n\tfour\nfive\nsix\n';

describe('a hunk whose header is wrong goes where the file proves one place for it', () => {
  test.each<[string, string]>([
    ['counts too small', '@@ -6,1 +6,1 @@\n five\n-six\n+SIX\n'],
    ['counts too large', '@@ -5,9 +5,9 @@\n five\n-six\n+SIX\n'],
    ['a wrong line as well', '@@ -90,9 +95,7 @@\n five\n-six\n+SIX\n'],
    ['no numbers', '@@\n five\n-six\n+SIX\n'],
    ['dots for numbers', '@@ ... @@\n five\n-six\n+SIX\n'],
    ['letters for numbers', '@@ -x,y +x,y @@\n five\n-six\n+SIX\n'],
    ['a line of the file for numbers', '@@ five @@\n-six\n+SIX\n'],
    ['no second @@', '@@ -6,2 +6,2\n five\n-six\n+SIX\n'],
    ['no blank behind @@', '@@-6,2 +6,2@@\n five\n-six\n+SIX\n'],
    ['blank lines that lost their blank', '@@ -1,9 +1,9 @@\n two\n\n   three\n \tfour\n five\n-six\n+SIX\n'],
    ['context that lost its blank', '@@ -1,7 +1,7 @@\none\ntwo\n\n  three\n\tfour\nfive\n-six\n+SIX\n'],
    ['talk behind it', '@@ -6,9 +6,9 @@\n five\n-six\n+SIX\n\nThat is all.\n'],
    ['a signature behind it', '@@ -6,9 +6,9 @@\n five\n-six\n+SIX\n-- \n2.40.1\n'],
    ['CRLF', '@@ -6,9 +6,9 @@\r\n five\r\n-six\r\n+SIX\r\n'],
  ])('%s', async (_, hunk) => {
    expect(await patched({ f: file }, names + hunk)).toEqual({ f: file.replace('six', 'SIX') });
  });

  test('context behind the change may have lost its blank, and tells two places apart', async () => {
    const twice = 'a\nx\nb\n-\na\nx\nc\n';
    expect(await patched({ f: twice }, `${names}@@ @@\n a\n-x\n+y\nc\n`)).toEqual({ f: 'a\nx\nb\n-\na\ny\nc\n' });
  });

  test('a fence ends it, and what is fenced may itself hold a fence', async () => {
    const fenced = `Sure:\n\`\`\`diff\n${names}@@ -6,9 +6,9 @@\n five\n-six\n+SIX\n\`\`\`\n- changed six\n`;
    expect(await patched({ f: file }, fenced)).toEqual({ f: file.replace('six', 'SIX') });
    const page = 'a\n```js\nb\n```\nc\n';
    expect(await patched({ f: page }, `${names}@@ -1,9 +1,9 @@\na\n\`\`\`js\n-b\n+B\n\`\`\`\nc\n`)).toEqual({
      f: page.replace('b', 'B'),
    });
  });

  test('several hunks and files keep apart, whatever their counts say', async () => {
    const hunk = '@@ -1,9 +1,9 @@\n one\n-two\n+TWO\n';
    const second = '@@ -1,1 +1,1 @@\n five\n-six\n+SIX\n';
    const after = file.replace('two', 'TWO').replace('six', 'SIX');
    const git = (name: string) => `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n`;
    for (const header of [(name: string) => names.replaceAll('f\n', `${name}\n`), git]) {
      const patch = header('f') + hunk + second + header('g') + hunk + second;
      expect(await patched({ f: file, g: file }, patch)).toEqual({ f: after, g: after });
    }
    // One old line too many in the counts makes the next header look like a line that goes and one that comes.
    const swallowed = `${names}@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n--- a/g\n+++ b/g\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n`;
    expect(await patched({ f: file, g: file }, swallowed)).toEqual({
      f: file.replace('two', 'TWO'),
      g: file.replace('two', 'TWO'),
    });
    // Counts that are right are believed: these two lines are content.
    const content = `${names}@@ -1 +1 @@\n--- a/g\n+++ b/g\n@@ -3 +3 @@\n-x\n+y\n`;
    expect(await patched({ f: '-- a/g\n.\nx\n', g: 'x\n' }, content)).toEqual({ f: '++ b/g\n.\ny\n', g: 'x\n' });
  });

  test('new and removed files need no place', async () => {
    const add = '--- /dev/null\n+++ b/n\n@@ -0,0 +1,9 @@\n+a\n\n+b\n';
    expect(await patched({}, add)).toEqual({ n: 'a\n\nb\n' });
    expect(await patched({}, add.replace('/dev/null', 'a/dev/null'))).toEqual({ n: 'a\n\nb\n' });
    const remove = '--- a/f\n+++ /dev/null\n@@ -1,9 +0,0 @@\n-a\n-b\n';
    expect(await patched({ f: 'a\nb\n' }, `${remove}.\n`)).toEqual({});
    expect(await patched({ f: 'a\nb\nc\n' }, `${remove}.\n`)).toMatchObject([{ reason: 'content-remains' }]);
  });

  test('a last line without an end keeps lacking it when the patch says nothing of it', async () => {
    expect(await patched({ f: 'a\nb' }, `${names}@@ -1,9 +1,9 @@\n a\n-b\n+c\n`)).toEqual({ f: 'a\nc' });
    expect(await patched({ f: 'a\nb' }, `${names}@@ @@\n a\n b\n+c\n`)).toEqual({ f: 'a\nb\nc' });
    const marked = `${names}@@ @@\n a\n-b\n\\ No newline at end of file\n+c\n`;
    expect(await patched({ f: 'a\nb' }, marked)).toEqual({ f: 'a\nc\n' });
    expect(await patched({ f: 'a\nb\n' }, marked)).toMatchObject([{ reason: 'malformed' }]);
  });

  test('the place and the way it was read are told', async () => {
    const planned = await plan({ f: file }, `${names}@@ -9,9 +9,9 @@\n five\n-six\n+SIX\n`);
    expect(planned).toMatchObject({
      value: {
        files: [
          {
            additions: 1,
            deletions: 1,
            hunks: [
              { index: 0, line: 6, offset: -3, fuzz: 0, note: 'the header was wrong; placed where its lines stand' },
            ],
          },
        ],
      },
    });
  });
});

describe('a hunk that fits nowhere as written is read as its lines may have been damaged', () => {
  test.each<[string, string, string]>([
    ['indented context that lost its blank', '  a\n  b\n  c\n  d\n', '@@ -1,4 +1,4 @@\n  a\n  b\n-  c\n+  C\n  d\n'],
    ['blanks at the ends of lines', 'a  \nc\t\nd\n', '@@ -1,3 +1,3 @@\n a\n-c\n+C\n d\n'],
    ['fewer blanks in front', '    a\n      c\n    d\n', '@@ -1,3 +1,3 @@\n a\n-  c\n+  C\n d\n'],
    ['more blanks in front', 'a\n  c\nd\n', '@@ -1,3 +1,3 @@\n     a\n-      c\n+      C\n     d\n'],
  ])('%s', async (_, before, hunk) => {
    expect(await patched({ f: before }, names + hunk)).toEqual({
      f: before.replace(/c\s*\n/, (end) => end.trimEnd().replace('c', 'C') + '\n'),
    });
  });

  test('a patch that stands in as a whole is moved out', async () => {
    const hunk = '@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n';
    for (const header of [names, `diff --git a/f b/f\n${names}`]) {
      const patch = `1. Do this:\n\n${(header + hunk).replace(/^(?=.)/gm, '    ')}`;
      expect(await patched({ f: file }, patch)).toEqual({ f: file.replace('two', 'TWO') });
    }
  });

  test('lines between the header of a file and its hunk, or a missing header under that of git, do no harm', async () => {
    const hunk = '@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n';
    expect(await patched({ f: file }, `${names}some words\n\n${hunk}`)).toEqual({ f: file.replace('two', 'TWO') });
    expect(await patched({ f: file }, `diff --git a/f b/f\nindex 1..2 100644\n${hunk}`)).toEqual({
      f: file.replace('two', 'TWO'),
    });
  });
});

describe('where the file proves no one place the patch is refused', () => {
  const twice = 'a\nx\nb\n-\na\nx\nb\n';

  test('two places are named, and nothing is guessed', async () => {
    for (const hunk of ['@@ @@\n a\n-x\n+y\n b\n', '@@ -1,9 +1,9 @@\n a\n-x\n+y\n b\n']) {
      expect(await patched({ f: twice }, names + hunk)).toMatchObject([
        { path: 'f', hunk: 0, reason: 'ambiguous', candidates: [1, 5], expected: 'a\nx\nb\n' },
      ]);
    }
    const refused = await plan({ f: twice }, `${names}@@ @@\n a\n-x\n+y\n b\n`);
    expect(refused).toMatchObject({
      error: { message: expect.stringContaining('(lines 1, 5); add lines of context') },
    });
    expect(await patched({ f: ` x\n${twice} x\n` }, `${names}@@ -3,2 +3,2 @@\n-x  \n+y\n a\n`)).toMatchObject([
      { reason: 'not-found' },
    ]);
    expect(await patched({ f: 'p\n x\nq\n  x\n' }, `${names}@@ -9,1 +9,1 @@\n-    x\n+    y\n`)).toMatchObject([
      { reason: 'ambiguous', candidates: [2, 4] },
    ]);
  });

  test('a patch that moves lines in is not applied a second time by reading it more loosely', async () => {
    const before = '{\n  x\n}\n';
    for (const hunk of [
      '@@ -1,3 +1,3 @@\n {\n-  x\n+    x\n }\n',
      '@@ -2 +2 @@\n-  x\n+    x\n',
      '@@ @@\n-  x\n+    x\n }\n',
      '@@ @@\n-  x\n+  x  \n }\n',
    ]) {
      const after = (await patched({ f: before }, names + hunk)) as Readonly<Record<string, string>>;
      expect(after).toEqual({ f: before.replace('  x', hunk.includes('+    x') ? '    x' : '  x  ') });
      expect(await patched(after, names + hunk)).toMatchObject([{ reason: 'already-applied' }]);
    }
  });

  test('a line named beside @@ decides when only one place lies behind it', async () => {
    const named = 'f:\na\nx\ng:\na\nx\n';
    const hunk = (anchor: string) => `${names}@@ ${anchor} @@\n a\n-x\n+y\n`;
    expect(await patched({ f: named }, hunk('g:'))).toEqual({ f: 'f:\na\nx\ng:\na\ny\n' });
    expect(await patched({ f: named }, hunk('f:'))).toMatchObject([{ reason: 'ambiguous', candidates: [2, 5] }]);
    expect(await patched({ f: named }, hunk('h:'))).toMatchObject([{ reason: 'ambiguous' }]);
  });

  test.each<[string, string, string, Partial<PatchProblem>]>([
    ['lines that are not there', file, '@@ -1,9 +1,9 @@\n zero\n-six\n+SIX\n .\n', { reason: 'malformed' }],
    [
      'lines that were put in already',
      'five\nSIX\n.\n',
      '@@ @@\n five\n-six\n+SIX\n .\n',
      { reason: 'already-applied' },
    ],
    ['an insertion without context', file, '@@ -3,0 +3,1 @@\n+new\n+lines\n', { reason: 'malformed' }],
    ['a patch that is cut off', file, '@@ -1,4 +1,4 @@\n one\n-two\n', { reason: 'malformed' }],
    ['hunks out of order', file, '@@ @@\n five\n-six\n+SIX\n .\n@@ @@\n one\n-two\n+TWO\n', { reason: 'malformed' }],
    ['a sign that may be content', '+ x\ny\n', '@@ @@\n+ x\n-y\n+z\n .\n', { reason: 'malformed' }],
    [
      'an end that may be content',
      'a\nb\n@@ -1 +1 @@\nc\n',
      '@@ @@\n a\n-b\n+B\n@@ -1 +1 @@\n-c\n+C\n',
      { reason: 'malformed' },
    ],
    ['a list behind it', file, '@@ -6,9 +6,9 @@\n five\n-six\n+SIX\n- changed six\n', { reason: 'malformed' }],
  ])('%s', async (_, before, hunk, problem) => {
    const [first] = (await patched({ f: before }, names + hunk)) as readonly PatchProblem[];
    expect(first).toMatchObject({ path: 'f', ...problem });
  });

  test('a chunk of an envelope that fits twice is refused too, unless its @@ line decides', async () => {
    const envelope = (anchors: string) =>
      `*** Begin Patch\n*** Update File: f\n${anchors}\n a\n-x\n+y\n b\n*** End Patch\n`;
    expect(await patched({ f: twice }, envelope('@@'))).toMatchObject([{ reason: 'ambiguous', candidates: [1, 5] }]);
    expect(await patched({ f: twice }, envelope('@@ -'))).toEqual({ f: 'a\nx\nb\n-\na\ny\nb\n' });
    const nested = 'A\nf\na\nx\nb\nB\nf\na\nx\nb\n';
    expect(await patched({ f: nested }, envelope('@@ f'))).toMatchObject([{ reason: 'ambiguous', candidates: [3, 8] }]);
    expect(await patched({ f: nested }, envelope('@@ B\n@@ f'))).toEqual({ f: 'A\nf\na\nx\nb\nB\nf\na\ny\nb\n' });
  });

  test('J5 a hostile file of equal lines is given up, not searched without end', { timeout: 120_000 }, async () => {
    const lines = (count: number, sign: string) => `${sign}x\n`.repeat(count);
    const hunk = `@@ @@\n${lines(2_000, ' ')}-y\n+z\n${lines(2_000, ' ')}`;
    const many = `${names}${hunk.repeat(20)}`;
    expect(await patched({ f: `${lines(8_000, '')}y\n${lines(100, '')}`.repeat(3) }, many)).toHaveLength(20);
    const same = `${names}${`@@ @@\n-x  \n${lines(9_000, ' ')}-y\n`.repeat(3)}`;
    expect(await patched({ f: lines(20_000, '') }, same)).toHaveLength(3);
  });
});

describe('whatever is wrong with the headers', () => {
  const line = fc.constantFrom('a', 'b', 'c', '  d', '\te', '', 'f g', '-- x', '++ y', '@ z', '\\ odd');
  const text = fc.array(line, { minLength: 1, maxLength: 16 }).map((lines) => `${lines.join('\n')}\n`);
  // A line that begins with a sign of its own, without the blank in front: the sign may be content.
  const damages: readonly ((diff: string) => string)[] = [
    (diff) => diff,
    (diff) => diff.replace(/^ (?=[^\\])/gm, ''),
    (diff) => diff.replace(/^ (?=[^ \\-])/gm, ''),
    (diff) => diff.replaceAll('\n', '\r\n'),
    (diff) => `Here it is:\n\`\`\`diff\n${diff}\`\`\`\n- done\n`,
    (diff) => diff.replace(/^(?=.)/gm, '\t'),
  ];
  const spoiled = (diff: string, how: readonly number[]) => {
    let at = 0;
    return diff.replace(/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@$/gm, (_, a, b, c, d) => {
      const by = how[at % how.length] ?? 0;
      at += 1;
      if (by === 0) return '@@ @@';
      if (by === 1) return '@@ ... @@';
      return `@@ -${a},${Number(b ?? 1) + by} +${c},${Number(d ?? 1) + by + 1} @@`;
    });
  };

  test('the patch gives what was meant or is refused', { timeout: 240_000 }, async () => {
    let read = 0;
    const numbers = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(text, text, numbers, fc.constantFrom(...damages), async (a, b, how, damage) => {
        fc.pre(a !== b);
        const diff = damage(spoiled(unifiedDiff(a, b, { path: 'f' }), how));
        const planned = await plan({ f: a }, diff);
        if (!planned.ok) return;
        read += 1;
        const after = planned.value.changes[0]?.after;
        expect(after && 'text' in after ? after.text : undefined).toBe(b);
      }),
      { numRuns: 1500 },
    );
    expect(read).toBeGreaterThan(500);
  });
});
