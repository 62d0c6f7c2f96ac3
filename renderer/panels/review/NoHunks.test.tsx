import { expect, test } from 'vitest';
import type { Change } from '../../../shared/model/change.ts';
import type { Content } from '../../parts/useContent.ts';
import { markupOf, textOf } from '../../testing/markup.tsx';
import { NoHunks } from './NoHunks.tsx';

const none: Content = { state: 'text', text: '' };
const words = (change: Partial<Change>, before: Content, after: Content): string =>
  textOf(
    markupOf(
      <NoHunks
        change={{ path: 'a.bin', status: 'modified', before: 'x', after: 'y', ...change }}
        before={before}
        after={after}
      />,
    ),
  );

test.each<[string, Partial<Change>, Content, Content, readonly string[]]>([
  [
    'new binary content',
    { status: 'added', before: null },
    none,
    { state: 'binary', sizeBytes: 4200 },
    ['a.bin · added', 'Binary content', 'After · 4.2 KB'],
  ],
  ['an empty file', { status: 'added', before: null }, none, none, ['added', 'The file is empty.']],
  [
    'a move',
    { status: 'renamed', oldPath: 'old.bin' },
    { state: 'text', text: 'same' },
    { state: 'text', text: 'same' },
    ['renamed', 'Moved from old.bin', 'The content stays as it is.'],
  ],
  [
    'a new right',
    { executable: true },
    { state: 'text', text: 'same' },
    { state: 'text', text: 'same' },
    ['makes it executable', 'The content stays as it is.'],
  ],
])('%s is told in words and judged as a whole', (_, change, before, after, told) => {
  const text = words(change, before, after);
  for (const each of [...told, 'accepted or rejected as a whole']) expect(text).toContain(each);
});
