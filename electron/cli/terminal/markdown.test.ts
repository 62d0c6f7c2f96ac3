import { expect, test } from 'vitest';
import { markdownLines } from './markdown.ts';
import { lineWidth, painted } from './spans.ts';

const page = `# Two files changed

The sum of **negative** numbers was *wrong*: \`parse\` in [src/parse.ts](https://example.org/a/very/long/address) ignored the sign.

1. first step
2. second step that is long enough to be wrapped on a narrow terminal
   - nested
   - [x] done

> A word of warning.

| file | what changed |
|---|---|
| src/parse.ts | a sign in front of a number is read |
| src/tokens.ts | \`-\` |

\`\`\`diff
-old
+new
\`\`\`

\`\`\`ts
const answer = 42; // a line of code that is longer than the terminal is wide, torn and not wrapped
\`\`\`
`;

const shown = (columns: number, colours: boolean): string =>
  `${markdownLines(page, columns, colours)
    .map((line) => painted(line, colours).trimEnd().replaceAll('\u001B', '␛'))
    .join('\n')}\n`;

test.each([60, 100, 200])('Markdown fits into %i columns, with and without colours', async (columns) => {
  for (const colours of [true, false]) {
    const lines = markdownLines(page, columns, colours);
    expect(Math.max(...lines.map(lineWidth))).toBeLessThanOrEqual(columns);
    await expect(shown(columns, colours)).toMatchFileSnapshot(
      `pictures/markdown-${columns}${colours ? '-colours' : ''}.txt`,
    );
  }
});

test('an unfinished text is shown as far as it goes', () => {
  const texts = (text: string) => markdownLines(text, 40, true).map((line) => painted(line, false));
  expect(texts('```ts\nconst a')).toEqual(['  const a']);
  expect(texts('**bold and')).toEqual(['**bold and']);
  expect(texts('')).toEqual([]);
  expect(texts('a\n\n\n\nb')).toEqual(['a', '', 'b']);
  expect(texts('&lt; <b>raw</b> &amp;')).toEqual(['&lt; <b>raw</b> &amp;']);
});
