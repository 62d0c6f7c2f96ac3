import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../workspace/sandbox.ts';
import type { Browser } from './browser.ts';
import { createBrowser } from './createBrowser.ts';
import { findBrowser } from './findBrowser.ts';
import type { Resolve } from './foreignNames.ts';
import { type HostRule, hostRules } from './testing/allowedHosts.ts';
import { startRunningBrowser } from './testing/runningBrowser.ts';

const found = findBrowser({ PATH: process.env['PATH'], VISE_CHROMIUM: process.env['VISE_CHROMIUM'] });
const program = found.kind === 'program' ? found.path : '';
const why = program === '' ? ' (skipped: no Chrome, Chromium or Edge in PATH, and VISE_CHROMIUM names none)' : '';

/** Hosts that were asked for something, beside the page's own. */
const asked: string[] = [];
let port = 0;
const at = (host: string, path = '/'): string => `http://${host}.localhost:${port}${path}`;

/** One page for each way in which a page asks another host for something; `done` stands in the title when it has tried. */
const pages: Readonly<Record<string, () => string>> = {
  '/refresh': () => `<meta http-equiv="refresh" content="0;url=${at('denied')}">`,
  '/script': () => `<script>location.href = '${at('denied')}'</script>`,
  '/form': () => `<form method="post" action="${at('denied')}"></form><script>document.forms[0].submit()</script>`,
  '/opens': () => `<a target="_blank" href="${at('denied')}">out</a>`,
  '/opensHop': () => `<a target="_blank" href="/moved">out</a>`,
  '/frame': () => `<iframe src="${at('denied')}"></iframe><iframe src="/moved"></iframe>`,
  '/data': () => `<iframe srcdoc="<img src='${at('denied')}'>"></iframe>`,
  '/picture': () => `<img src="${at('denied')}"><img src="/moved"><link rel="stylesheet" href="${at('denied')}">`,
  '/fetch': () => `<script>fetch('/moved').catch(() => 0); navigator.sendBeacon('${at('denied')}', 'x')</script>`,
  '/socket': () => `<script>new WebSocket('${at('denied').replace('http', 'ws')}')</script>`,
  '/worker': () =>
    `<script>new Worker(URL.createObjectURL(new Blob(["fetch('${at('denied')}').catch(() => 0)"])))</script>`,
  '/workerSocket': () =>
    `<script>new Worker(URL.createObjectURL(new Blob(["new WebSocket('${at('denied').replace('http', 'ws')}')"])))</script>`,
};

const server = createServer((request, response) => {
  const host = (request.headers.host ?? '').split('.')[0] ?? '';
  const path = request.url ?? '/';
  if (host !== 'page') asked.push(host);
  if (path === '/moved') return void response.writeHead(302, { location: '/again' }).end();
  if (path === '/again') return void response.writeHead(307, { location: at('denied') }).end();
  if (path === '/toAsked') return void response.writeHead(302, { location: at('asked') }).end();
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end(`<title>${host}</title><p>text of ${host}</p>${pages[path]?.() ?? ''}`);
});
server.on('upgrade', (request, socket) => {
  asked.push((request.headers.host ?? '').split('.')[0] ?? '');
  socket.destroy();
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
beforeEach(() => {
  asked.length = 0;
});
afterAll(async () => {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 10 })));
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const folders: string[] = [];

async function browserUnder(
  rules: readonly HostRule[],
  environment: Readonly<Record<string, string | undefined>> = { ...process.env, VISE_BROWSER_URL: undefined },
  resolve?: Resolve,
): Promise<Browser> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'vise-hosts-'));
  folders.push(folder);
  const sandbox = await createSandbox({ roots: [folder] });
  if (!sandbox.ok) throw new Error(sandbox.error.message);
  const browser = createBrowser({
    environment: () => environment,
    secrets: () => [],
    folder: join(folder, 'browser'),
    sandbox: sandbox.value,
    hosts: hostRules(rules),
    ...(resolve && { resolve }),
  });
  return browser;
}

const signal = new AbortController().signal;
const denied = [
  { effect: 'deny', host: 'denied.localhost' },
  { effect: 'ask', host: 'asked.localhost' },
] as const;

/** Opens a page and lets it do what it does; a link to a new tab has opened one when this ends. */
async function visit(browser: Browser, path: string): Promise<void> {
  await browser.navigate(at('page', path), { signal });
  if (!path.startsWith('/opens')) return;
  const count = async () => (await browser.status()).tabs;
  const before = await count();
  expect(await browser.click({ selector: 'a' }, { signal })).toMatchObject({ ok: true });
  await expect.poll(count, { timeout: 20_000 }).toBe(before + 1);
}

/** What a page has begun has been refused, or has reached the server, before the answers to these. */
async function settle(browser: Browser): Promise<void> {
  await browser.navigate(at('page', '/settle'), { signal });
  await browser.navigate(at('page', '/settle'), { signal });
}

describe.skipIf(program === '')(`hosts that a rule forbids${why}`, { timeout: 240_000 }, () => {
  const later: HostRule[] = [];
  let browser: Browser;
  /** Begins without rules. */
  let free: Browser;
  beforeAll(async () => {
    browser = await browserUnder(denied);
    free = await browserUnder(later);
  });
  afterAll(async () => {
    await Promise.all([browser.dispose(), free.dispose()]);
  });

  test('are not asked for by a redirect, and the answer says which rule forbids it', async () => {
    const led = await browser.navigate(at('page', '/moved'), { signal });
    expect(led).toMatchObject({
      ok: false,
      error: {
        code: 'PERMISSION_DENIED',
        message:
          'The page leads to denied.localhost: the rule "deny host denied.localhost" forbids it. Nothing of it is shown.',
      },
    });
    expect(await browser.navigate(at('page'), { signal })).toMatchObject({ ok: true, value: { title: 'page' } });
    expect(asked).toEqual([]);
  });

  test('are not asked for by anything that a page does', async () => {
    for (const path of Object.keys(pages)) {
      await visit(browser, path);
      await settle(browser);
      expect({ path, asked }).toEqual({ path, asked: [] });
    }
    expect(JSON.stringify(await browser.tabs())).not.toContain('"title":"denied"');
  });

  test('are asked for without a rule, so that the tests above prove something', async () => {
    later.length = 0;
    for (const path of ['/moved', ...Object.keys(pages)]) {
      asked.length = 0;
      await visit(free, path);
      await expect.poll(() => asked, { message: path, timeout: 20_000 }).toContain('denied');
    }
  });

  test('a rule that asks holds for redirects, and is answered when its address is opened', async () => {
    const led = await browser.navigate(at('page', '/toAsked'), { signal });
    expect(led).toMatchObject({ ok: false, error: { code: 'PERMISSION_DENIED' } });
    // A page of the test before may still ask for something else.
    expect(asked).not.toContain('asked');
    expect(await browser.navigate(at('asked'), { signal })).toMatchObject({ ok: true, value: { title: 'asked' } });
    expect(await browser.navigate(at('page', '/toAsked'), { signal })).toMatchObject({ ok: true });
  });

  test('are not shown when the rule comes after the page', async () => {
    later.length = 0;
    const opened = await free.navigate(at('denied'), { signal });
    later.push(...denied);
    const hidden = { ok: false, error: { code: 'PERMISSION_DENIED' } };
    expect(await free.readPage({ signal })).toMatchObject(hidden);
    expect(await free.screenshot({}, { signal })).toMatchObject(hidden);
    expect(await free.html({ signal })).toMatchObject(hidden);
    expect(await free.find('text', { signal })).toMatchObject(hidden);
    const id = opened.ok ? opened.value.tabId : 0;
    const tabs = await free.tabs();
    expect(tabs.ok && tabs.value.find((tab) => tab.id === id)).toEqual({
      id,
      url: '',
      title: 'Not shown: the rule "deny host denied.localhost" forbids it',
      active: true,
    });
    expect(await free.navigate(at('page'), { signal })).toMatchObject({ ok: true });
  });

  test('are not asked for under a rule that came later, but by a worker for its WebSocket', async () => {
    later.splice(0, later.length, ...denied);
    for (const path of Object.keys(pages).filter((name) => name !== '/workerSocket')) {
      await visit(free, path);
      await settle(free);
      expect({ path, asked }).toEqual({ path, asked: [] });
    }
  });

  test('S3: a name of others that leads to this machine is not asked for; one that is led here meanwhile is not shown', async () => {
    // For the browser every name below .test leads here; what the check is told is another matter.
    const folder = mkdtempSync(join(realpathSync(tmpdir()), 'vise-names-'));
    folders.push(folder);
    const led = join(folder, 'chromium');
    writeFileSync(led, `#!/bin/sh\nexec '${program}' --host-resolver-rules='MAP *.test 127.0.0.1' "$@"\n`, {
      mode: 0o755,
    });
    const answers: Readonly<Record<string, string>> = { 'here.test': '127.0.0.1', 'cloud.test': '169.254.169.254' };
    const names = await browserUnder(
      [],
      { ...process.env, VISE_BROWSER_URL: undefined, VISE_CHROMIUM: led },
      async (host) => ['203.0.113.1', answers[host] ?? '203.0.113.2'],
    );
    onTestFinished(() => names.dispose());
    for (const host of Object.keys(answers)) {
      expect(await names.navigate(`http://${host}:${port}/`, { signal })).toMatchObject({
        ok: false,
        error: { code: 'PERMISSION_DENIED', message: expect.stringContaining(`${host}: it leads to ${answers[host]}`) },
      });
    }
    expect(asked).toEqual([]);
    expect(await names.navigate(`http://moved.test:${port}/`, { signal })).toMatchObject({
      ok: false,
      error: { code: 'PERMISSION_DENIED', message: expect.stringContaining('moved.test: it leads to 127.0.0.1') },
    });
    await expect.poll(async () => JSON.stringify(await names.tabs()), { timeout: 20_000 }).not.toContain('moved');
    expect(await names.navigate(at('page'), { signal })).toMatchObject({ ok: true, value: { title: 'page' } });
  });

  test('are not asked for in a browser that ran already, and its other pages are left alone', async () => {
    const { address } = await startRunningBrowser(program);
    const joined = await browserUnder(denied, { ...process.env, VISE_BROWSER_URL: address });
    onTestFinished(() => joined.dispose());
    expect(await joined.navigate(at('page', '/moved'), { signal })).toMatchObject({
      ok: false,
      error: { code: 'PERMISSION_DENIED' },
    });
    expect(asked).not.toContain('denied');
    await fetch(`${address}/json/new?${at('denied')}`, { method: 'PUT' });
    await expect.poll(() => asked, { timeout: 20_000 }).toContain('denied');
  });
});
