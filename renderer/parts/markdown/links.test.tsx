import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Markdown } from './Markdown.tsx';

const shown = (text: string): string => renderToStaticMarkup(<Markdown text={text} />);

test('S2 a link of a model is a link only to web and mail addresses', () => {
  expect(shown('[a](https://example.org/x) [b](mailto:a@b.c)').match(/href="[^"]*"/g)).toEqual([
    'href="https://example.org/x"',
    'href="mailto:a@b.c"',
  ]);
  for (const address of [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'vscode://x',
    'data:text/html,x',
    '//host/x',
    'x',
  ])
    expect(shown(`[a](${address})`)).not.toContain('href');
});

test('S2 nothing that a model names is fetched by itself: no picture, no frame, no raw HTML', () => {
  const html = shown(
    '![p](https://example.org/p.png)\n\n<img src="https://example.org/q"><iframe src="https://x"></iframe>',
  );
  expect(html).not.toMatch(/<(?:img|iframe|script|link|object|embed|video|audio)\b/);
  expect(html).toContain('href="https://example.org/p.png"');
});
