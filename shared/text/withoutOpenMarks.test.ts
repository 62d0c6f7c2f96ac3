import { lexer } from 'marked';
import { expect, test } from 'vitest';
import { withoutOpenMarks } from './withoutOpenMarks.ts';

test('marks that something ends stay, and so do a few that nothing ends', () => {
  const ended = 'a <!-- b --> c <![CDATA[ d ]]> <? e ?> <!DOCTYPE html>\n'.repeat(500);
  expect(withoutOpenMarks(ended)).toBe(ended);
  expect(withoutOpenMarks(`${ended}<!-- b`)).toBe(`${ended}<!-- b`);
});

test.each(['<!--', '<?', '<!A', '<![CDATA['])(
  'N3: of thousands of %s that nothing ends each is text at its place',
  (mark) => {
    const text = `a --> ]]> ?> > ${`${mark} b `.repeat(3_000)}`;
    const made = withoutOpenMarks(text);
    expect(made).toBe(text.replaceAll(mark, mark.replace('<', '‹')));
    expect(lexer(made).map(({ raw }) => raw)).toEqual([made]);
  },
);
