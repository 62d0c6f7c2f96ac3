import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../workspace/sandbox.ts';
import { testFolder } from '../workspace/testing/testFolder.ts';
import { createBrowser } from './createBrowser.ts';
import { findBrowser } from './findBrowser.ts';
import { hostRules } from './testing/allowedHosts.ts';

const found = findBrowser({ PATH: process.env['PATH'], VISE_CHROMIUM: process.env['VISE_CHROMIUM'] });
const hasBrowser = found.kind === 'program';
const why = hasBrowser ? '' : ' (skipped: no Chrome, Chromium or Edge in PATH, and VISE_CHROMIUM names none)';

const page = `<!doctype html><title>Page</title><style>html { scroll-behavior: smooth }</style>
<h1>Hello   there</h1><p>Some <b>bold</b> and <a href="https://example.org/x">linked</a> <code>code</code>.</p>
<ul><li>one</li><li>two</li></ul><ol><li>first</li></ol><pre>a
  b</pre><p style="display:none">secret</p><script>let hidden = 1</script>
<table><tr><td>x</td><td>y</td></tr></table><input type="password" value="hunter2"><div style="height:5000px"></div>`;

describe.skipIf(!hasBrowser)(`the text of a page${why}`, { timeout: 240_000 }, () => {
  async function opened(html: string) {
    const root = testFolder({ 'page.html': html });
    const sandbox = await createSandbox({ roots: [root] });
    if (!sandbox.ok) throw new Error(sandbox.error.message);
    const browser = createBrowser({
      environment: () => ({ ...process.env, VISE_BROWSER_URL: undefined }),
      secrets: () => [],
      folder: join(testFolder(), 'browser'),
      sandbox: sandbox.value,
      hosts: hostRules(),
    });
    onTestFinished(() => browser.dispose());
    const { signal } = new AbortController();
    await browser.navigate(pathToFileURL(join(root, 'page.html')).href, { signal });
    return { browser, signal };
  }

  test('is Markdown of what can be seen, or its HTML, and can be scrolled and closed', async () => {
    const { browser, signal } = await opened(page);
    const markdown = await browser.markdown({ signal });
    expect(markdown.ok && markdown.value.markdown.split(/\n+/)).toEqual([
      '# Hello there',
      'Some **bold** and [linked](https://example.org/x) `code`.',
      '- one',
      '- two',
      '1. first',
      '```',
      'a',
      '  b',
      '```',
      '| x | y |',
    ]);
    const html = await browser.html({ signal });
    expect(html.ok && [html.value.title, html.value.html.includes('<h1>Hello'), html.value.truncated]).toEqual([
      'Page',
      true,
      false,
    ]);
    expect(await browser.scroll('down', 800, { signal })).toMatchObject({ ok: true, value: { x: 0, y: 800 } });
    expect(await browser.scroll('up', 300, { signal })).toMatchObject({ ok: true, value: { x: 0, y: 500 } });
    expect(await browser.closeTab({ signal })).toEqual({ ok: true, value: { closed: true, tabs: 0 } });
    expect(await browser.closeTab({ signal })).toEqual({ ok: true, value: { closed: false, tabs: 0 } });
  });

  test('is cut where a page does not end', async () => {
    const { browser, signal } = await opened(`<p>${'long '.repeat(60_000)}</p>`);
    const markdown = await browser.markdown({ signal });
    expect(markdown.ok && [markdown.value.markdown.length, markdown.value.truncated]).toEqual([200_000, true]);
  });
});
