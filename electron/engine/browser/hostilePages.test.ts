import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../workspace/sandbox.ts';
import { testFolder } from '../workspace/testing/testFolder.ts';
import { createBrowser } from './createBrowser.ts';
import { findBrowser } from './findBrowser.ts';
import { hostRules } from './testing/allowedHosts.ts';

const environment = { ...process.env };
const hasBrowser = findBrowser(environment).kind === 'program';

const pages: Readonly<Record<string, string>> = {
  '/': '<title>plain</title>',
  '/windows': '<script>setInterval(() => { for (let i = 0; i < 20; i += 1) window.open("/", "_blank"); }, 1)</script>',
  '/alerts': '<script>setInterval(() => { for (;;) alert(1); }, 1)</script>',
  '/busy': '<script>setTimeout(() => { for (;;); }, 1)</script>',
};

async function hostile() {
  const server = createServer((request, response) => {
    const page = pages[request.url ?? ''];
    if (page !== undefined) return void response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    response.writeHead(200, { 'content-type': 'text/html' }).write('<title>never ends'); // and is never finished
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const sandbox = await createSandbox({ roots: [testFolder()] });
  if (!sandbox.ok) throw new Error(sandbox.error.message);
  const browser = createBrowser({
    environment: () => environment,
    secrets: () => [],
    folder: testFolder(),
    sandbox: sandbox.value,
    hosts: hostRules(),
  });
  onTestFinished(async () => {
    await browser.dispose();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const open = (path: string, signal = AbortSignal.timeout(60_000)) =>
    browser.navigate(`http://127.0.0.1:${port}${path}`, { signal });
  return { browser, open };
}

describe.skipIf(!hasBrowser)('J5: pages that do not let go (skipped without Chrome, Chromium or Edge)', () => {
  test('J5: windows without end are closed again, and so is the page that opens them', async () => {
    const { browser, open } = await hostile();
    await open('/windows');
    const count = async () => {
      const tabs = await browser.tabs();
      return tabs.ok ? tabs.value.length : -1;
    };
    await expect.poll(count, { timeout: 20_000 }).toBeGreaterThan(20);
    expect(await count()).toBeLessThanOrEqual(30);
    const opener = async () => {
      const tabs = await browser.tabs();
      return tabs.ok && tabs.value.some(({ url }) => url.endsWith('/windows'));
    };
    await expect.poll(opener, { timeout: 20_000 }).toBe(false);
  });

  test('J5: dialogs without end close their page', async () => {
    const { browser, open } = await hostile();
    await open('/alerts');
    const left = async () => {
      const tabs = await browser.tabs();
      return tabs.ok && tabs.value.some(({ url }) => url.endsWith('/alerts'));
    };
    await expect.poll(left, { timeout: 20_000 }).toBe(false);
  });

  test.each(['/busy', '/endless'])(
    'J5: %s is left at once when the call is stopped, and the browser ends all the same',
    async (path) => {
      const { browser, open } = await hostile();
      await open('/');
      const stop = new AbortController();
      const opened = open(path, stop.signal);
      setTimeout(() => stop.abort(), 300);
      await opened;
      const read = new AbortController();
      const reading = browser.readPage({ signal: read.signal });
      setImmediate(() => read.abort());
      expect(await reading).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
      await browser.dispose();
      expect(await browser.tabs()).toEqual({ ok: true, value: [] });
    },
  );
});
