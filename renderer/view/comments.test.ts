import { beforeEach, expect, test } from 'vitest';
import { en } from '../words/en.ts';
import {
  currentComments,
  dropComments,
  type LineSpot,
  maxQuotedLines,
  moveComments,
  writeComment,
} from './comments.ts';
import { commentsMessage, movedText, placeNow, planSpot, planTexts } from './commentText.ts';
import { useShown } from './shown.ts';

beforeEach(() => {
  useShown.setState({ project: '/p', session: null });
  dropComments(currentComments());
});

const spot: LineSpot = { path: 'src/a.ts', of: 'file', from: 2, to: 3, quote: ['two', 'three'] };
const words = en.comments;

test('the same lines have one comment, which goes along into the session that is made for it', () => {
  writeComment(spot, 'Wh');
  writeComment(spot, 'Why?');
  moveComments('/p', 's1');
  const left = currentComments();
  useShown.setState({ session: 's1' });
  const [moved] = currentComments();
  expect([left, moved]).toEqual([[], { ...spot, place: 's1', text: 'Why?' }]);
  writeComment(spot, '', true);
  const emptied = currentComments();
  writeComment(spot, '');
  expect([emptied.length, currentComments()]).toEqual([1, []]);
});

test('what was changed while the message was sent is kept', () => {
  writeComment(spot, 'First.');
  const sent = currentComments();
  writeComment(spot, 'First. And more.');
  dropComments(sent);
  expect(currentComments().map(({ text }) => text)).toEqual(['First. And more.']);
});

test('lines are found where they are nearest by now, or nowhere', () => {
  const text = 'one\ntwo\nthree\nx\nx\ntwo\nthree\n';
  expect([
    placeNow(spot, text),
    placeNow({ ...spot, from: 5 }, text),
    placeNow(spot, 'two\nthree\n'),
    placeNow(spot, 'two\n\nthree\n'),
  ]).toEqual([2, 6, 1, null]);
});

test('comments are one message behind what was written, with their lines and what became of these', () => {
  const of = { place: 's', text: 'Why?' };
  const long = Array.from({ length: maxQuotedLines + 5 }, (_, at) => `line ${at}`);
  writeComment({ path: 'b.ts', of: 'proposed', from: 1, to: long.length, quote: long }, ' Too long. ');
  const [cut] = currentComments();
  if (!cut) throw new Error('no comment');
  const comments = [
    { ...spot, ...of },
    { ...spot, ...of, from: 7, to: 8 },
    { ...spot, ...of, path: 'gone.ts' },
    { ...spot, ...of, of: 'before' as const, to: 2, quote: ['two'] },
    { ...planSpot(words.step, 2, 'Write\n  it'), ...of },
    cut,
  ];
  const facts = { steps: [], findings: [], constraints: [] };
  const texts = new Map([['src/a.ts', 'one\ntwo\nthree\n'], ['gone.ts', ''], ...planTexts(facts, words)]);
  const [head, ...rest] = commentsMessage(' Please: ', comments, texts, words).split('\n\n');
  expect([head, ...rest.slice(0, 5)]).toEqual([
    'Please:',
    'src/a.ts:2-3\n> two\n> three\nWhy?',
    'src/a.ts:7-8 (now at line 2)\n> two\n> three\nWhy?',
    'gone.ts:2-3 (these lines are no longer there)\n> two\n> three\nWhy?',
    'src/a.ts:2 (as it was before the change)\n> two\nWhy?',
    'Plan, step 2 (these lines are no longer there)\n> Write it\nWhy?',
  ]);
  expect(rest[5]).toMatch(/^b\.ts:1-25 \(as proposed\)\n> line 0\n.*> line 19\n> … 5 more lines\nToo long\.$/s);
});

test('nothing is said of lines that nobody could read', () => {
  expect(movedText({ ...spot, place: 's', text: '' }, undefined, words)).toBeUndefined();
});
