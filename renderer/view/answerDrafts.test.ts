import { expect, test } from 'vitest';
import { answerDraft, dropAnswerDraft, writeAnswerDraft } from './answerDrafts.ts';

test('an answer is kept by its question until that is answered, and the oldest of many give way', () => {
  writeAnswerDraft('call_a', 1, { picked: ['x'], text: 'y' });
  const kept = answerDraft('call_a');
  for (let n = 0; n < 50; n++) writeAnswerDraft(`call_${n}`, 0, { picked: [], text: `${n}` });
  const [oldest, newest] = [answerDraft('call_a'), answerDraft('call_49')];
  dropAnswerDraft('call_49');
  expect({ kept, oldest, newest, dropped: answerDraft('call_49') }).toEqual({
    kept: [
      { picked: [], text: '' },
      { picked: ['x'], text: 'y' },
    ],
    oldest: [],
    newest: [{ picked: [], text: '49' }],
    dropped: [],
  });
});
