import { Tooltip } from 'radix-ui';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Markdown } from './Markdown.tsx';

const shown = (text: string): string =>
  renderToStaticMarkup(
    <Tooltip.Provider>
      <Markdown text={text} />
    </Tooltip.Provider>,
  );

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

test('S2 pictures of lines, scripts in them, pages in addresses and letters in disguise carry nothing', () => {
  const carriers = [
    '<svg onload=alert(1)><script>alert(1)</script><foreignObject><iframe srcdoc="x"></iframe></foreignObject></svg>',
    '<svg><use href="https://example.org/x.svg#a"/><image href="https://example.org/p"/></svg>',
    '<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>',
    '```svg\n<svg onload="alert(1)"></svg>\n```',
    '![a](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)',
    '[a](data:text/html,<script>alert(1)</script>)',
    '[a](JaVaScRiPt:alert(1))',
    '[a](java\tscript:alert(1))',
    '[a](&#106;avascript:alert(1))',
    '[a](\u0001javascript:alert(1))',
    '[a](vbscript:x "onclick=y")',
    '[a](https://example.org/"onmouseover="alert(1))',
    '<javascript:alert(1)>',
    '[a]: javascript:alert(1)\n\n[a]',
    '<a href="javascript:alert(1)" style="position:fixed;inset:0">x</a>',
    '<link rel=stylesheet href=//example.org/x><base href=//example.org/><meta http-equiv=refresh content="0;url=//x">',
    '<form action=//example.org><input autofocus onfocus=alert(1)><button>x</button></form>',
    '| a |\n|---|\n| <img src=x onerror=alert(1)> |',
    '- [ ] <video src=//example.org/x autoplay onerror=alert(1)>',
  ];
  for (const carrier of carriers) {
    const page = shown(carrier);
    const [, ...tags] = page.split('<').map((part) => part.split('>')[0] ?? '');
    const active =
      /^\/?(?:svg|script|foreignObject|iframe|img|image|use|math|style|link|base|meta|form|video|object|embed)\b/i;
    const attribute = /\son\w+=|\sstyle="position|(?:href|src)="(?!https?:|mailto:|#)/i;
    // Signs that the page draws itself (the button that copies code) are pictures without words of the text.
    const found = tags.filter(
      (tag) => (active.test(tag) && !/^\/?svg(?:$| [^>]*lucide)/.test(tag)) || attribute.test(tag),
    );
    expect([carrier, found]).toEqual([carrier, []]);
  }
});
