import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ok } from '../../../../shared/result.ts';
import type { DiffRun } from '../../../../shared/text/diffRuns.ts';
import { proposedHunks } from '../composeVerdict.ts';
import { composeHunks } from '../diff.ts';
import { runsBetween } from '../knownRuns.ts';
import type { ProposedChange } from '../proposedChange.ts';
import { hunksBetween } from '../testing/hunksBetween.ts';
import { bytesFileOf, textFileOf } from '../textFile.ts';
import { unifiedDiff } from '../unifiedDiff.ts';
import { parsePatch } from './parsePatch.ts';
import { planPatch } from './planPatch.ts';

const text = fc
  .tuple(fc.array(fc.constantFrom('a', 'b', 'c', 'd', '', 'e\r', 'f\rg'), { maxLength: 14 }), fc.boolean())
  .map(([lines, ends]) => lines.join('\n') + (ends && lines.length > 0 ? '\n' : ''));

async function planned(before: string, patch: string): Promise<ProposedChange | undefined> {
  const facts = { mode: 0o644, modifiedAt: '2026-01-01T00:00:00.000Z' };
  const file = textFileOf(bytesFileOf(Buffer.from(before), facts));
  if (!file.ok) throw new Error(file.error.message);
  const parsed = parsePatch(patch);
  const plan = parsed.ok ? await planPatch(parsed.value, async () => ok(file.value)) : parsed;
  return plan.ok ? plan.value.changes[0] : undefined;
}

const afterOf = (change: ProposedChange) => (change.after && 'text' in change.after ? change.after.text : '');

test('what a patch is known to change is what a comparison of the texts finds', async () => {
  await fc.assert(
    fc.asyncProperty(text, text, fc.integer({ min: 1, max: 4 }), async (before, after, context) => {
      fc.pre(before !== after);
      const change = await planned(before, unifiedDiff(before, after, { path: 'f', context }));
      fc.pre(change !== undefined && afterOf(change) === after);
      if (change) expect(proposedHunks(change)).toEqual(hunksBetween(before, after));
    }),
  );
});

test('hunks that repeat more than they change say no more than what changes, and each can be left out', async () => {
  const letters = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(letters, letters, letters, fc.array(fc.nat(6)), async (head, old, now, keep) => {
      const lines = (sign: string, all: readonly string[]) => all.map((line) => `${sign}${line}\n`).join('');
      const before = [...head, ...old].join('\n');
      const counts = `@@ -1,${head.length + old.length} +1,${head.length + now.length} @@\n`;
      const noEnd = '\\ No newline at end of file\n';
      const body = lines(' ', head) + lines('-', old) + noEnd + lines('+', now) + noEnd;
      const change = await planned(before, `--- a/f\n+++ b/f\n${counts}${body}`);
      fc.pre(change !== undefined);
      if (!change) return;
      const after = [...head, ...now].join('\n');
      const runs = runsBetween(before, change.after);
      expect(composeHunks(before, after, [...runs.keys()], runs)).toBe(after);
      expect(composeHunks(before, after, [], runs)).toBe(before);
      const part = keep.filter((index) => index < runs.length);
      expect(composeHunks(before, after, part, runs)).toBe(spliced(before, after, runs, part));
    }),
  );
  const change = await planned('a\nb\nc\n', '--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n-a\n-b\n-c\n+a\n+B\n+c\n');
  expect(change && proposedHunks(change)).toEqual([{ index: 0, oldStart: 2, oldLines: 1, newStart: 2, newLines: 1 }]);
});

/** The runs put in from the last to the first. */
function spliced(before: string, after: string, runs: readonly DiffRun[], keep: readonly number[]): string {
  const linesOf = (whole: string) => whole.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const [old, now] = [linesOf(before), linesOf(after)];
  for (const [index, run] of [...runs.entries()].reverse())
    if (keep.includes(index)) old.splice(run.aStart, run.aEnd - run.aStart, ...now.slice(run.bStart, run.bEnd));
  return old.join('');
}
