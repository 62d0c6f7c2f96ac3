import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { textOf } from '../../testing/markup.tsx';
import { Markdown } from './Markdown.tsx';

const shown = (text: string): string =>
  renderToStaticMarkup(<Markdown text={text} />)
    .replace(/^<div class="prose">|<\/div>$/g, '')
    .replace(/<div class="block" dir="auto">(.*?)<\/div>/gs, '$1');

test.each([
  ['# A *b*', '<h1>A <em>b</em></h1>'],
  ['one **two** ~~three~~ \\*', '<p>one <strong>two</strong> <del>three</del> *</p>'],
  ['a  \nb', '<p>a<br/>b</p>'],
  ['3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
  ['- a\n  - b', '<ul><li>a<ul><li>b</li></ul></li></ul>'],
  ['- a\n\n- b', '<ul><li><p>a</p></li><li><p>b</p></li></ul>'],
  ['> a\n> > b', '<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote>'],
  ['---', '<hr/>'],
  [
    '|a|b|\n|-|:-:|\n|1|`2`|',
    '<table><thead><tr><th>a</th><th style="text-align:center">b</th></tr></thead><tbody><tr><td>1</td><td style="text-align:center"><code dir="ltr">2</code></td></tr></tbody></table>',
  ],
  ['a &lt; b &amp;&amp; c &#955; &unknown; &copy;', '<p>a &lt; b &amp;&amp; c λ &amp;unknown; ©</p>'],
  ['a <b>c</b>', '<p>a &lt;b&gt;c&lt;/b&gt;</p>'],
])('%j is shown as %s', (text, html) => expect(shown(text)).toBe(html));

test('a task of a list has its box', () => {
  expect(shown('- [x] done\n- [ ] open').match(/<input[^>]*>/g)).toEqual([
    expect.stringContaining('checked'),
    expect.not.stringContaining('checked'),
  ]);
});

test('a name for a link counts from anywhere below it', () => {
  expect(shown('[a]: https://a.example\n\nSee [a].')).toContain('href="https://a.example"');
});

test('what is nested beyond all measure is still shown', () => {
  expect(textOf(shown(`${'>'.repeat(20_000)} deep`))).toContain('deep');
  expect(textOf(shown(`${'- '.repeat(2_000)}deep`))).toContain('deep');
});
