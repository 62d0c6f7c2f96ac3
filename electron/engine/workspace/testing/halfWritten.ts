import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deadDisk } from './faultyDisk.ts';
import { testFolder, treeOf } from './testFolder.ts';
import { handsOver } from './testHands.ts';

export const wholeBefore = { a: 'old a', 'd/b': 'old b', gone: 'here', other: 'untouched' };
export const wholeAfter = { a: 'new a', 'd/b': 'new b', 'x/y/c': 'new c', other: 'untouched' };

/** No process has this number. */
const deadPid = 2 ** 22 + 12_345;
export const deadOwner = { pid: deadPid, startedAt: '' };

/**
 * For tests: a set of which some files are in place and some are not. The disk failed for good, and the process is gone.
 * `place`: makes the two folders.
 */
export async function halfWritten(
  place: () => { readonly root: string; readonly state: string } = () => ({
    root: testFolder(wholeBefore),
    state: testFolder(),
  }),
): Promise<{ readonly root: string; readonly state: string }> {
  for (let at = 1; ; at += 1) {
    const { root, state } = place();
    const { hands, propose, records } = await handsOver(root, state, deadDisk(at));
    await hands.applyChanges([
      await propose('a', 'new a'),
      await propose('d/b', 'new b'),
      await propose('gone', null),
      await propose('x/y/c', 'new c'),
    ]);
    for (const name of readdirSync(records)) {
      const text = readFileSync(path.join(records, name), 'utf8');
      writeFileSync(
        path.join(records, name),
        text.replace(/"owner":\{[^}]*\}/, `"owner":${JSON.stringify(deadOwner)}`),
      );
    }
    if (treeOf(root)['a'] === 'new a') return { root, state };
  }
}
