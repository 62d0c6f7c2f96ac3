import { expect, test } from 'vitest';
import type { Envelope } from '../../../shared/model/event.ts';
import { ManualClock } from '../testing/manualClock.ts';
import { createRedact, redactValue } from './redact.ts';

test.each([
  ['plain', 'sk-0123456789'],
  ['that ends in a backslash', 'sk-0123456789\\'],
  ['with a quote', 'sk-"0123456789'],
])('S5: a key %s goes out of a value, and nothing of the text beside it', (_, key) => {
  const notice = (text: string): Envelope => ({
    session: 's',
    seq: 1,
    at: '',
    event: { type: 'notice', level: 'warning', code: 'test', text },
  });
  const text = (hidden: string): string => `before ${hidden}next "quoted" \\n`;
  const redacted = redactValue(
    [notice(text(key)), notice('none')],
    createRedact(() => [key], new ManualClock()),
  );
  expect(redacted).toEqual([notice(text('***')), notice('none')]);
});
