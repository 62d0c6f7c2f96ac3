import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ok } from '../../../../shared/result.ts';
import { testFolder } from '../testing/testFolder.ts';
import { bytesFileOf, textFileOf } from '../textFile.ts';
import { unifiedDiff } from '../unifiedDiff.ts';
import { parsePatch } from './parsePatch.ts';
import { planPatch } from './planPatch.ts';

const hasGit = spawnSync('git', ['--version']).status === 0;

const line = fc.constantFrom(
  'a',
  'b',
  'c',
  'd',
  '',
  '-- x',
  '++ y',
  '@@ -1 +1 @@',
  'e\r',
  '\\ No newline',
  '\u65e5\u672c',
  ' ',
);
const text = fc
  .tuple(fc.array(line, { maxLength: 14 }), fc.boolean())
  .map(([lines, ends]) => lines.join('\n') + (ends && lines.length > 0 ? '\n' : ''));

/** The content after the patch, null when it is removed, undefined when it is refused. */
async function ours(before: string | null, patch: string): Promise<string | null | undefined> {
  const parsed = parsePatch(patch);
  if (!parsed.ok) return undefined;
  const facts = { mode: 0o644, modifiedAt: '2026-01-01T00:00:00.000Z' };
  const file = before === null ? null : textFileOf(bytesFileOf(Buffer.from(before), facts));
  if (file !== null && !file.ok) return undefined;
  const planned = await planPatch(parsed.value, async () => ok(file === null ? null : file.value));
  if (!planned.ok) return undefined;
  const change = planned.value.changes[0];
  if (!change) return before;
  if (change.after === null) return null;
  return 'text' in change.after ? change.after.text : undefined;
}

// Without context an insertion into a CRLF file takes the file's line ends, by rule: so at least one line.
test('a diff, applied to where it came from, gives where it went', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(text, text, fc.integer({ min: 1, max: 4 }), async (before, after, context) => {
      fc.pre(before !== after);
      expect(await ours(before, unifiedDiff(before, after, { path: 'f', context }))).toBe(after);
    }),
    { numRuns: 1500 },
  );
});

test('so it does when a file comes or goes', async () => {
  await fc.assert(
    fc.asyncProperty(text, async (content) => {
      expect(await ours(null, unifiedDiff(null, content, { path: 'f' }))).toBe(content);
      expect(await ours(content, unifiedDiff(content, null, { path: 'f' }))).toBe(null);
    }),
    { numRuns: 300 },
  );
});

function gits(folder: string, before: string, patch: string): string | undefined {
  writeFileSync(path.join(folder, 'f'), before);
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: path.dirname(folder) };
  const done = spawnSync('git', ['apply', '-p1', '--whitespace=nowarn', '-'], { cwd: folder, input: patch, env });
  const after = done.status === 0 ? readFileSync(path.join(folder, 'f'), 'utf8') : undefined;
  rmSync(path.join(folder, 'f'), { force: true });
  return after;
}

test.skipIf(!hasGit)('git apply takes our diffs as we mean them (skipped without git)', { timeout: 240_000 }, () => {
  const folder = testFolder();
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after && before !== '' && after !== '');
      expect(gits(folder, before, unifiedDiff(before, after, { path: 'f' }))).toBe(after);
    }),
    { numRuns: 120 },
  );
});

const letters = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), { minLength: 6, maxLength: 20 });
const more = fc.array(fc.constantFrom('x', 'y', 'z'), { minLength: 1, maxLength: 3 });

test.skipIf(!hasGit)(
  'where git apply accepts a patch on a changed file, we give the same file (skipped without git)',
  { timeout: 240_000 },
  async () => {
    const folder = testFolder();
    let both = 0;
    await fc.assert(
      fc.asyncProperty(letters, fc.nat(19), more, fc.nat(3), async (lines, place, added, moved) => {
        const at = place % lines.length;
        const base = `${lines.join('\n')}\n`;
        const after = `${[...lines.slice(0, at), 'NEW', ...lines.slice(at + 1)].join('\n')}\n`;
        const patch = unifiedDiff(base, after, { path: 'f' });
        const changed =
          [`${added.join('\n')}\n${base}`, base + added.join('\n'), `${lines.slice(moved).join('\n')}\n`, base][
            moved
          ] ?? base;
        const theirs = gits(folder, changed, patch);
        if (theirs === undefined) return;
        both += 1;
        expect(await ours(changed, patch)).toBe(theirs);
      }),
      { numRuns: 200 },
    );
    expect(both).toBeGreaterThan(30);
  },
);

test.skipIf(!hasGit)('git diffs with renames, modes and strange names are understood (skipped without git)', () => {
  const strange = '\u00fc\t"x".txt';
  const folder = testFolder({ 'a b.txt': '1\n2\n3\n4\n5\n', [strange]: 'q\n', plain: 'p\n' });
  const who = {
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@b.c',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@b.c',
  };
  const env = { ...process.env, ...who, GIT_CONFIG_GLOBAL: '/dev/null' };
  const git = (...words: string[]) => execFileSync('git', words, { cwd: folder, env }).toString();
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'x');
  git('mv', 'a b.txt', 'c d.txt');
  writeFileSync(path.join(folder, 'c d.txt'), '1\n2\n3\n4\nfive\n');
  writeFileSync(path.join(folder, strange), 'r\n');
  git('update-index', '--chmod=+x', 'plain');
  git('add', 'c d.txt', strange);
  expect(parsePatch(git('diff', '--cached', '-M'))).toMatchObject({
    ok: true,
    value: {
      files: [
        { status: 'renamed', oldPath: 'a b.txt', newPath: 'c d.txt' },
        { status: 'mode-changed', newMode: '100755', newPath: 'plain' },
        { status: 'modified', newPath: strange },
      ],
    },
  });
});
