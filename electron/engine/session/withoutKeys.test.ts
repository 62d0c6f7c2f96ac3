import { expect, test } from 'vitest';
import type { Envelope } from '../../../shared/model/event.ts';
import { ManualClock } from '../testing/manualClock.ts';
import { createWithoutKeys, journalWithoutKeys } from './withoutKeys.ts';

test.each([
  ['plain', 'sk-0123456789'],
  ['that ends in a backslash', 'sk-0123456789\\'],
  ['with a quote', 'sk-"0123456789'],
])('S5: a key %s goes out of a journal, and nothing of the text beside it', (_, key) => {
  const written: Envelope[] = [];
  const journal = journalWithoutKeys(
    { append: (envelopes) => void written.push(...envelopes), close: () => undefined },
    createWithoutKeys(() => [key], new ManualClock()),
  );
  const notice = (text: string): Envelope => ({
    session: 's',
    seq: 1,
    at: '',
    event: { type: 'notice', level: 'warning', code: 'test', text },
  });
  const text = (hidden: string): string => `before ${hidden}next "quoted" \\n`;
  journal.append([notice(text(key)), notice('none')]);
  expect(written).toEqual([notice(text('***')), notice('none')]);
});
