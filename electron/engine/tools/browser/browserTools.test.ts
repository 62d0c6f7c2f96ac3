import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createBrowser } from '../../browser/createBrowser.ts';
import { type Environment, findBrowser } from '../../browser/findBrowser.ts';
import { hostRules } from '../../browser/testing/allowedHosts.ts';
import { startRunningBrowser } from '../../browser/testing/runningBrowser.ts';
import { tryIn } from '../../testing/tryTool.ts';
import { createSandbox } from '../../workspace/sandbox.ts';
import { testFolder } from '../../workspace/testing/testFolder.ts';
import type { Tool } from '../frame/tool.ts';
import { createBrowserTools } from './browserTools.ts';

const found = findBrowser({ PATH: process.env['PATH'], VISE_CHROMIUM: process.env['VISE_CHROMIUM'] });
const hasBrowser = found.kind === 'program';
const why = hasBrowser ? '' : ' (skipped: no Chrome, Chromium or Edge in PATH, and VISE_CHROMIUM names none)';

const page = `<!doctype html><title>Test page</title>
<h1>Hello</h1><p hidden>secret text</p>
<label>Name <input id="name"></label>
<label>Password <input id="password" type="password" value="hunter2"></label>
<label>Fixed <input id="fixed" readonly value="x"></label>
<button onclick="document.title = 'clicked'">Press me</button>
<button style="display:none" id="hidden">Hidden</button>
<div style="position:relative;width:90px;height:20px"><button id="covered">Below</button><div style="position:absolute;inset:0;background:red"></div></div>
<iframe srcdoc="<button>Inside</button>"></iframe>
<div style="height:3000px"></div><button id="far" onclick="document.title = 'far'">Far away</button>
<form onsubmit="document.title = 'sent ' + document.getElementById('q').value; return false"><input id="q" aria-label="Query"></form>`;

const pages: Readonly<Record<string, string>> = {
  '/': page,
  '/dialogs': `<!doctype html><button id="alert" onclick="alert(1); document.title = 'alerted'">A</button>
<button id="confirm" onclick="document.title = 'confirmed ' + confirm('Sure?')">C</button>
<script>onbeforeunload = (event) => event.preventDefault();</script>`,
  '/shadow': `<!doctype html><div id="host"></div><iframe srcdoc="<button>Framed</button>"></iframe>
<script>document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = '<button>Shaded</button>';</script>`,
  '/form': `<!doctype html><title>Form</title><h1>Login</h1><label>Email <input id="mail"></label><p>Login here</p>
<button onclick="document.title = 'pressed'">Login</button><a href="#1">More</a> <a href="#2">More</a><div id="plain">Plain words</div>`,
  '/popup': '<!doctype html><a id="popup" href="/" target="_blank">Away</a>',
};

/** Processes whose command line names a folder. */
function processesOf(folder: string): readonly { readonly pid: number; readonly words: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [{ pid: Number(pid), words: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') }];
      } catch {
        return []; // it has ended meanwhile
      }
    })
    .filter(({ words }) => words.includes(folder));
}

const server = createServer((request, response) => {
  const path = request.url ?? '/';
  if (path === '/hang') return; // never answers
  if (path === '/moved') return void response.writeHead(302, { location: '/' }).end();
  if (path === '/slow') {
    response.writeHead(200, { 'content-type': 'text/html' }).write('<title>Slow</title><img src="/hang">');
    return void response.end();
  }
  if (path === '/download')
    return void response.writeHead(200, { 'content-disposition': 'attachment; filename=x.bin' }).end('x');
  response.writeHead(path === '/missing' ? 404 : 200, { 'content-type': 'text/html' }).end(pages[path] ?? page);
});
let origin = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function browserTrial(
  change: { environment?: Environment; limitMs?: number; files?: Record<string, string> } = {},
) {
  const { environment = { ...process.env, VISE_BROWSER_URL: undefined }, limitMs, files = {} } = change;
  const root = testFolder(files);
  const state = testFolder();
  const sandbox = await createSandbox({ roots: [root] });
  if (!sandbox.ok) throw new Error(sandbox.error.message);
  const browser = createBrowser({
    environment: () => environment,
    secrets: () => [],
    folder: join(state, 'browser'),
    sandbox: sandbox.value,
    hosts: hostRules(),
    limitMs,
  });
  onTestFinished(() => browser.dispose());
  const tools = createBrowserTools(browser);
  const trial = await tryIn(root);
  const find = (name: string) => tools.find((tool) => tool.name === name) as Tool;
  return {
    root,
    state,
    brought: trial.brought,
    browser,
    tools,
    intent: async (name: string, input: unknown) => (await trial.plan(find(name), input)).intent,
    call: (name: string, input: unknown = {}, signal?: AbortSignal) =>
      trial.tool(find(name), input, signal ? { signal } : {}) as Promise<Answer>,
  };
}

interface Answer {
  readonly success: boolean;
  readonly data: Record<string, never>;
  readonly error?: { readonly code: string; readonly message: string };
}

describe('without a browser', () => {
  test('the status says so, and every call is UNAVAILABLE with the remedy', async () => {
    const { call, state } = await browserTrial({ environment: { PATH: '/nowhere', VISE_CHROMIUM: '/no/chrome' } });
    expect(await call('browser_status')).toMatchObject({
      success: true,
      data: { connected: false, backend: 'none', tabs: 0, message: expect.stringContaining('VISE_CHROMIUM') },
    });
    const inputs: Record<string, unknown> = {
      browser_navigate: { url: 'about:blank' },
      browser_read_page: {},
      browser_screenshot: {},
      browser_click: { x: 1, y: 1 },
      browser_type: { text: 'x' },
      browser_find: { query: 'x' },
      browser_get_tabs: {},
    };
    for (const [name, input] of Object.entries(inputs)) {
      const { error } = await call(name, input);
      expect([name, error?.code]).toEqual([name, 'UNAVAILABLE']);
      expect(error?.message).toContain('Install Chrome');
    }
    expect(readdirSync(state)).toEqual([]);
  });

  test('a program that is no browser, and an address where none listens, are UNAVAILABLE', async () => {
    const { call } = await browserTrial({ environment: { PATH: process.env['PATH'], VISE_CHROMIUM: '/bin/false' } });
    expect((await call('browser_navigate', { url: 'about:blank' })).error?.code).toBe('UNAVAILABLE');
    const other = await browserTrial({ environment: { VISE_BROWSER_URL: 'http://127.0.0.1:1' } });
    expect((await other.call('browser_navigate', { url: 'about:blank' })).error?.code).toBe('UNAVAILABLE');
  });

  test('inputs that cannot be are refused first, and a host is a target for rules', async () => {
    const { call, intent } = await browserTrial({ environment: {} });
    const wrong: readonly (readonly [string, unknown, string])[] = [
      ['browser_navigate', { url: 'file:///etc/passwd' }, 'INVALID_URL'],
      ['browser_navigate', { url: 'http://x', tabId: 0 }, 'VALIDATION_ERROR'],
      ['browser_click', {}, 'VALIDATION_ERROR'],
      ['browser_click', { x: 1 }, 'VALIDATION_ERROR'],
      ['browser_type', { text: '' }, 'VALIDATION_ERROR'],
      ['browser_find', { query: ' ' }, 'VALIDATION_ERROR'],
      ['browser_read_page', { tabId: 1.5 }, 'VALIDATION_ERROR'],
    ];
    for (const [name, input, code] of wrong)
      expect([name, (await call(name, input)).error?.code]).toEqual([name, code]);
    expect(await intent('browser_navigate', { url: 'https://example.org/x' })).toMatchObject({
      risk: 'moderate',
      effects: ['network'],
      targets: [{ kind: 'host', host: 'example.org' }],
    });
    expect((await intent('browser_click', { selector: 'a' })).risk).toBe('dangerous');
  });
});

describe.skipIf(!hasBrowser)(`with a real browser${why}`, { timeout: 240_000 }, () => {
  test('a page is opened, read, searched and pictured', async () => {
    const { call, brought } = await browserTrial();
    expect(await call('browser_get_tabs')).toEqual({ success: true, data: { tabs: [] } });
    const opened = await call('browser_navigate', { url: `${origin}/moved` });
    expect(opened).toEqual({
      success: true,
      data: { tabId: 1, url: `${origin}/`, title: 'Test page', status: 200, loaded: true, redirected: true },
    });
    expect(await call('browser_status')).toMatchObject({ data: { connected: true, tabs: 1, activeTabId: 1 } });
    expect(await call('browser_get_tabs')).toEqual({
      success: true,
      data: { tabs: [{ id: 1, url: `${origin}/`, title: 'Test page', active: true }] },
    });

    const read = await call('browser_read_page');
    const text = JSON.stringify(read);
    expect(read.data).toMatchObject({ truncated: false, notice: expect.stringContaining('untrusted') });
    for (const part of ['Hello', 'Press me', 'Inside', '"level=1"']) expect(text).toContain(part);
    for (const part of ['secret text', 'hunter2', '•••••••']) expect(text).not.toContain(part);
    expect(text).toContain('"value":"••••"');
    expect(JSON.stringify((await call('browser_read_page')).data)).toBe(JSON.stringify(read.data)); // refs are stable

    const sought = (await call('browser_find', { query: 'press button' })) as never as {
      data: { elements: { selector: string; ref: string; role: string; rect: { width: number } }[] };
    };
    const [best] = sought.data.elements;
    expect(best).toMatchObject({ role: 'button', name: 'Press me', selector: expect.stringContaining('button') });
    expect(best?.rect.width).toBeGreaterThan(10);
    expect(await call('browser_find', { query: 'zebra' })).toMatchObject({ success: true, data: { elements: [] } });
    expect(await call('browser_click', { selector: best?.selector })).toMatchObject({
      success: true,
      data: { tabId: 1, clicked: true, selector: best?.selector, element: 'button "Press me"' },
    });
    expect(await call('browser_get_tabs')).toMatchObject({ data: { tabs: [{ title: 'clicked' }] } });

    expect(await call('browser_screenshot')).toMatchObject({
      data: { tabId: 1, mimeType: 'image/png', width: 1280, height: 800 },
    });
    expect(brought.slice(-2)).toEqual([
      {
        pictures: [
          { content: expect.stringMatching(/^[0-9a-f]{64}$/), mediaType: 'image/png', width: 1280, height: 800 },
        ],
      },
      { tabs: [{ id: 1, url: `${origin}/`, title: 'clicked', active: true }] },
    ]);
    const whole = await call('browser_screenshot', { fullPage: true });
    expect(whole.data['height']).toBeGreaterThan(3_000);
    const one = await call('browser_screenshot', { selector: 'h1', fullPage: true });
    expect(one.data['height']).toBeLessThan(200);
    const byRef = await call('browser_screenshot', { selector: `ref=${best?.ref}` });
    expect(byRef.data['height']).toBeLessThan(100);
  });

  test('an element is found by its name, its text, a selector or a part of its name, in this order', async () => {
    const { call } = await browserTrial();
    const click = async (selector: string) => {
      const { data, error } = await call('browser_click', { selector });
      return error === undefined ? data['element'] : [error.code, error.message];
    };
    await call('browser_navigate', { url: `${origin}/form` });
    expect(await click('element=Login')).toBe('button "Login"');
    expect((await call('browser_get_tabs')).data).toMatchObject({ tabs: [{ title: 'pressed' }] });
    expect(await click('element=login button')).toBe('button "Login"');
    expect(await click('element=Plain words')).toBe('div#plain "Plain words"');
    expect(await click('element=#plain')).toBe('div#plain "Plain words"');
    expect(await click('element=log')).toBe('button "Login"');
    expect(await click('field=Email')).toBe('input#mail');
    expect(await click('field=Login')).toEqual([
      'ELEMENT_NOT_FOUND',
      expect.stringMatching(
        /^Nothing on the page is called "Login". The page has: textbox "Email" \(ref=e\d+\), button/,
      ),
    ]);
    expect(await click('element=More')).toEqual([
      'VALIDATION_ERROR',
      expect.stringMatching(/^"More" may be any of these; name one by its ref: link "More" \(ref=e\d+\), link "More"/),
    ]);
    expect(await click('#nothing')).toEqual([
      'ELEMENT_NOT_FOUND',
      expect.stringContaining('No element of the page fits #nothing. The page has: textbox "Email"'),
    ]);
  });

  test('clicking and typing reach what they name, and say why when they cannot', async () => {
    const { call } = await browserTrial();
    await call('browser_navigate', { url: `${origin}/` });
    const codeOf = async (name: string, input: unknown) => (await call(name, input)).error?.code;
    const title = async () => (await call('browser_navigate', { url: `${origin}/` })).success;
    expect(await codeOf('browser_type', { text: 'x' })).toBe('NO_FOCUSED_ELEMENT');
    expect(await codeOf('browser_click', { selector: '#nothing' })).toBe('ELEMENT_NOT_FOUND');
    expect(await codeOf('browser_click', { selector: 'ref=e999999' })).toBe('ELEMENT_NOT_FOUND');
    expect(await codeOf('browser_click', { selector: '#hidden' })).toBe('ELEMENT_NOT_VISIBLE');
    expect(await codeOf('browser_click', { selector: '#covered' })).toBe('ELEMENT_NOT_VISIBLE');
    expect(await codeOf('browser_click', { selector: '[[' })).toBe('VALIDATION_ERROR');
    expect(await codeOf('browser_click', { x: 9_999, y: 5 })).toBe('ELEMENT_NOT_FOUND');
    expect(await codeOf('browser_screenshot', { selector: '#nothing' })).toBe('ELEMENT_NOT_FOUND');
    expect(await codeOf('browser_read_page', { tabId: 7 })).toBe('TAB_NOT_FOUND');
    expect(await codeOf('browser_click', { selector: '#fixed' })).toBeUndefined();
    expect(await codeOf('browser_type', { text: 'x' })).toBe('NOT_EDITABLE');
    // Both given: the selector wins; far below, it is scrolled to.
    expect(await call('browser_click', { selector: '#far', x: 1, y: 1 })).toMatchObject({ data: { clicked: true } });
    expect(await call('browser_get_tabs')).toMatchObject({ data: { tabs: [{ title: 'far' }] } });
    expect(await codeOf('browser_click', { selector: '#q' })).toBeUndefined();
    expect(await call('browser_type', { text: 'zwei 中😀\n' })).toEqual({
      success: true,
      data: { tabId: 1, typed: true, characters: 8 },
    });
    expect(await call('browser_get_tabs')).toMatchObject({ data: { tabs: [{ title: 'sent zwei 中😀' }] } });
    expect(await title()).toBe(true);
  });

  test('addresses that fail, hang or answer with an error are told apart', async () => {
    const { call, browser } = await browserTrial({ limitMs: 8_000 });
    expect((await call('browser_navigate', { url: 'http://127.0.0.1:1/' })).error?.code).toBe('NAVIGATION_FAILED');
    expect(await call('browser_navigate', { url: `${origin}/missing` })).toMatchObject({
      data: { status: 404, loaded: true },
    });
    expect(await call('browser_navigate', { url: `${origin}/slow` })).toMatchObject({
      success: true,
      data: { loaded: false },
    });
    const stop = new AbortController();
    const hanging = call('browser_navigate', { url: `${origin}/hang` }, stop.signal);
    stop.abort();
    expect((await hanging).error?.code).toBe('CANCELLED');
    await browser.dispose();
    expect((await call('browser_read_page')).error?.code).toBe('UNAVAILABLE');
  });

  test('dialogs hold nothing up: they are dismissed, also on the way to another page', async () => {
    const { call } = await browserTrial();
    const title = async () => (await call('browser_get_tabs')).data['tabs'] as unknown as { title: string }[];
    await call('browser_navigate', { url: `${origin}/dialogs` });
    await call('browser_click', { selector: '#alert' });
    expect(await title()).toMatchObject([{ title: 'alerted' }]);
    await call('browser_click', { selector: '#confirm' });
    expect(await title()).toMatchObject([{ title: 'confirmed false' }]);
    expect(await call('browser_navigate', { url: `${origin}/` })).toMatchObject({ data: { title: 'Test page' } });
  });

  test('what lies in a shadow tree or a frame is found and clicked by its name', async () => {
    const { call } = await browserTrial();
    await call('browser_navigate', { url: `${origin}/shadow` });
    for (const name of ['Shaded', 'Framed']) {
      const found = (await call('browser_find', { query: name })).data['elements'] as unknown as { selector: string }[];
      expect(await call('browser_click', { selector: found[0]?.selector })).toMatchObject({
        data: { clicked: true, element: `button "${name}"` },
      });
    }
  });

  test('a popup is a tab of its own, and a download is no page', async () => {
    const { call } = await browserTrial();
    await call('browser_navigate', { url: `${origin}/popup` });
    await call('browser_click', { selector: '#popup' });
    await expect
      .poll(async () => (await call('browser_get_tabs')).data)
      .toMatchObject({
        tabs: [
          { id: 1, active: false },
          { id: 2, url: `${origin}/`, active: true },
        ],
      });
    const failed = await call('browser_navigate', { url: `${origin}/download`, tabId: 1 });
    expect(failed.error?.code).toBe('NAVIGATION_FAILED');
    expect(failed.error?.message).toContain('it is a download');
  });

  test.skipIf(process.platform !== 'linux')(
    'a page that crashed gives its tab up, and a browser that was killed is started anew (skipped but on Linux: processes are found in /proc)',
    async () => {
      // A killed browser leaves its socket in the temporary folder.
      const environment = { ...process.env, VISE_BROWSER_URL: undefined, TMPDIR: testFolder() };
      const { call, state } = await browserTrial({ environment });
      const end = (which: (words: string) => boolean) => {
        const ours = processesOf(state).filter(({ words }) => which(words));
        for (const { pid } of ours) process.kill(pid, 'SIGKILL');
        return ours.length;
      };
      await call('browser_navigate', { url: `${origin}/` });
      expect(end((words) => words.includes('--type=renderer'))).toBeGreaterThan(0);
      await expect.poll(async () => (await call('browser_get_tabs')).data).toEqual({ tabs: [] });
      expect((await call('browser_read_page', { tabId: 1 })).error?.code).toBe('TAB_NOT_FOUND');
      expect(await call('browser_navigate', { url: `${origin}/` })).toMatchObject({ data: { tabId: 2, loaded: true } });
      expect(end((words) => !words.includes('--type='))).toBeGreaterThan(0);
      await expect.poll(async () => (await call('browser_status')).data).toMatchObject({ connected: false });
      expect(await call('browser_navigate', { url: `${origin}/` })).toMatchObject({ data: { tabId: 3, loaded: true } });
    },
  );

  test('a call that takes too long is TIMEOUT', async () => {
    const { call } = await browserTrial({ limitMs: 1 });
    expect((await call('browser_read_page')).error?.code).toBe('TIMEOUT');
    // Its start goes on; the end of an engine does not wait for it, the end of this test does.
    expect((await call('browser_status')).data).toMatchObject({ connected: true });
  });

  test('files of the project are shown, and lead to none outside', async () => {
    const { call, root } = await browserTrial({
      files: {
        'index.html':
          '<title>Mine</title><iframe src="file:///etc/hostname"></iframe><a href="file:///etc/passwd">out</a>',
      },
    });
    const url = pathToFileURL(join(root, 'index.html')).href;
    expect(await call('browser_navigate', { url })).toMatchObject({ data: { title: 'Mine', loaded: true } });
    await call('browser_click', { selector: 'a' });
    expect(JSON.stringify(await call('browser_read_page'))).not.toContain('root:');
  });

  test('a browser that runs already is joined by its debugging port, and left running', async () => {
    const { address, running } = await startRunningBrowser(found.kind === 'program' ? found.path : '');
    const { call, browser, state } = await browserTrial({ environment: { VISE_BROWSER_URL: address } });
    expect(await call('browser_navigate', { url: `${origin}/` })).toMatchObject({ data: { title: 'Test page' } });
    expect(await call('browser_status')).toMatchObject({ data: { connected: true, backend: address, tabs: 1 } });
    await browser.dispose();
    expect(running.exitCode).toBe(null);
    expect((await fetch(`${address}/json/version`)).status).toBe(200);
    expect(readdirSync(state)).toEqual([]);
  });

  test('a whole page and a tall element end at 16,384 pixels, which is all that Chromium draws', async () => {
    const files = { 'tall.html': '<body style="margin:0"><div id="tall" style="height:20000px;width:100px">x</div>' };
    const { call, root } = await browserTrial({ files });
    await call('browser_navigate', { url: pathToFileURL(join(root, 'tall.html')).href });
    expect((await call('browser_screenshot', { fullPage: true })).data).toMatchObject({ width: 1280, height: 16_384 });
    expect((await call('browser_screenshot', { selector: '#tall' })).data).toMatchObject({
      width: 100,
      height: 16_384,
    });
    expect((await call('browser_screenshot')).data).toMatchObject({ width: 1280, height: 800 });
  });

  test('a second browser over the same profile gets one of its own, and both end without a trace', async () => {
    const state = testFolder();
    const sandbox = await createSandbox({ roots: [testFolder()] });
    if (!sandbox.ok) throw new Error(sandbox.error.message);
    const make = () =>
      createBrowser({
        environment: () => ({ ...process.env, VISE_BROWSER_URL: undefined }),
        secrets: () => [],
        folder: state,
        sandbox: sandbox.value,
        hosts: hostRules(),
      });
    const [first, second] = [make(), make()];
    const signal = new AbortController().signal;
    expect(await first.navigate('about:blank', { signal })).toMatchObject({ ok: true });
    expect(await second.navigate('about:blank', { signal })).toMatchObject({ ok: true });
    await Promise.all([first.dispose(), second.dispose()]);
    expect(readdirSync(state)).toEqual(['profile']);
    expect(existsSync(join(state, 'profile', 'SingletonLock'))).toBe(false);
  });
});
