import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../workspace/sandbox.ts';
import { checkUrl } from './checkUrl.ts';
import { findBrowser } from './findBrowser.ts';

async function ground() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'vise-url-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, 'page.html'), '');
  symlinkSync('/etc/hostname', join(root, 'link.html'));
  const sandbox = await createSandbox({ roots: [root] });
  if (!sandbox.ok) throw new Error(sandbox.error.message);
  return { root, sandbox: sandbox.value };
}

test('http, https, about:blank and files of the project may be opened', async () => {
  const { root, sandbox } = await ground();
  const file = pathToFileURL(join(root, 'page.html')).href;
  expect(await checkUrl(' http://Example.org:8080/x ', sandbox)).toEqual({
    ok: true,
    value: { url: 'http://example.org:8080/x', host: 'example.org' },
  });
  expect(await checkUrl('about:blank', sandbox)).toEqual({ ok: true, value: { url: 'about:blank' } });
  expect(await checkUrl(file, sandbox)).toEqual({ ok: true, value: { url: file, path: 'page.html' } });
});

test.each([
  'example.org',
  '',
  'about:settings',
  'chrome://settings',
  'javascript:alert(1)',
  'data:text/html,x',
  'view-source:http://x',
  'ftp://x',
  'file:///etc/passwd',
  'file://server/share',
])('%s is refused', async (url) => {
  const { sandbox } = await ground();
  expect(await checkUrl(url, sandbox)).toMatchObject({ ok: false, error: { code: 'INVALID_URL' } });
});

test('P1: a link, a missing file and encoded ways out of the project are refused', async () => {
  const { root, sandbox } = await ground();
  const base = pathToFileURL(root).href;
  for (const name of ['link.html', 'missing.html', '%2e%2e/%2e%2e/etc/passwd', '..%2f..%2fetc/passwd'])
    expect(await checkUrl(`${base}/${name}`, sandbox)).toMatchObject({ error: { code: 'INVALID_URL' } });
});

test('a browser is the one that is named, else one that is installed', async () => {
  const { root } = await ground();
  const page = join(root, 'page.html');
  expect(findBrowser({ VISE_BROWSER_URL: 'http://127.0.0.1:1', VISE_CHROMIUM: page })).toEqual({
    kind: 'running',
    address: 'http://127.0.0.1:1',
  });
  expect(findBrowser({ VISE_CHROMIUM: page })).toEqual({ kind: 'program', path: page });
  expect(findBrowser({ VISE_CHROMIUM: '/no/browser', PATH: '/usr/bin' })).toEqual({ kind: 'none' });
  expect(findBrowser({ PATH: root }, 'linux')).toEqual({ kind: 'none' });
});
