import { expect, test } from 'vitest';
import { markupOf, textOf } from '../../testing/markup.tsx';
import { filePlaceOf } from './inline.tsx';
import { Markdown } from './Markdown.tsx';

test.each([
  ['src/a.ts:12', { path: 'src/a.ts', line: 12, column: 1 }],
  ['a.ts:12:3', { path: 'a.ts', line: 12, column: 3 }],
  ['src/a.ts', null],
  ['localhost:8080', null],
  ['http://a.ts:1', null],
])('the place in %s', (text, place) => expect(filePlaceOf(text)).toEqual(place));

test('a block of code keeps its text, its language and its direction; a place in a file is a button', () => {
  const markup = markupOf(<Markdown text={'```ts\nlet a = 1;\n\nlet b;\n```\n\nSee `src/a.ts:12` and `x`.'} />);
  expect(textOf(markup)).toContain('let a = 1;');
  expect(markup).toContain('dir="ltr"');
  expect(markup).toMatch(/<span[^>]*>ts<\/span>/);
  expect(markup).toMatch(/<button[^>]*><code[^>]*>src\/a\.ts:12<\/code><\/button>/);
  expect(markup).toMatch(/<code dir="ltr">x<\/code>/);
});
