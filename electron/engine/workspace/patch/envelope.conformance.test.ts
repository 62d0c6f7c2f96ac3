import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { testFolder, treeOf } from '../testing/testFolder.ts';
import { handsOver } from '../testing/testHands.ts';
import { parsePatch } from './parsePatch.ts';
import { patchReader, planPatch } from './planPatch.ts';

const folder = path.join(process.env['VISE_CORPORA'] ?? path.resolve('../shared/corpora'), 'codex-apply-patch');
const present = existsSync(folder);
const scenarios = present ? readdirSync(folder).filter((name) => /^\d{3}_/.test(name)) : [];

/** Decided the other way: a set of files changes as a whole or not at all. */
const nothingChanges = '015_failure_after_partial_success_leaves_changes';

describe.skipIf(!present)(`recorded envelopes (skipped when ${folder} is missing)`, () => {
  test('there are some', () => expect(scenarios.length).toBeGreaterThan(20));
  test.each(scenarios)('%s', async (name) => {
    const root = testFolder();
    const input = path.join(folder, name, 'input');
    if (existsSync(input))
      for (const [file, text] of Object.entries(treeOf(input)))
        cpSync(path.join(input, file), path.join(root, file), { recursive: text === '' });
    const start = treeOf(root);
    const { look, hands } = await handsOver(root, testFolder());
    const parsed = parsePatch(readFileSync(path.join(folder, name, 'patch.txt'), 'utf8'));
    const planned = parsed.ok ? await planPatch(parsed.value, patchReader(look)) : parsed;
    if (planned.ok) expect((await hands.applyChanges(planned.value.changes)).ok).toBe(true);
    expect(filesOf(treeOf(root))).toEqual(
      name === nothingChanges ? filesOf(start) : treeOf(path.join(folder, name, 'expected')),
    );
  });
});

/** Without empty folders: nobody promises to remove those. */
function filesOf(tree: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(tree).filter(([entry]) => !entry.endsWith('/')));
}
