import { EventEmitter } from 'node:events';
import type { Session } from 'electron';
import { expect, test } from 'vitest';
import { guardPages, guardSession } from './guards.ts';

/** A page as it is announced to the app, and whether what it tries was prevented. */
function guardedPage() {
  const app = new EventEmitter();
  const followed: string[] = [];
  let openWindow: (asked: { readonly url: string }) => unknown = () => expect.unreachable();
  const contents = Object.assign(new EventEmitter(), {
    setWindowOpenHandler(handler: typeof openWindow) {
      openWindow = handler;
    },
  });
  guardPages(app as never, (_contents, address) => followed.push(address)); // an emitter is all that is used of it
  app.emit('web-contents-created', {}, contents);
  return {
    followed,
    open: (url: string) => openWindow({ url }),
    isPrevented(name: string, event: object): boolean {
      let isPrevented = false;
      contents.emit(name, { ...event, preventDefault: () => (isPrevented = true) });
      return isPrevented;
    },
  };
}

const foreign = [
  'https://example.org/',
  'file:///etc/passwd',
  'app://window.example.org/',
  'javascript:1',
  'data:text/html,1',
];

test.each(foreign)('S1 no page goes to %s, neither by itself, nor in a frame, nor in a window', (url) => {
  const { isPrevented, open, followed } = guardedPage();
  expect(isPrevented('will-navigate', { url })).toBe(true);
  expect(isPrevented('will-frame-navigate', { url, isMainFrame: true })).toBe(true);
  expect(isPrevented('will-frame-navigate', { url, isMainFrame: false })).toBe(true);
  expect(open(url)).toEqual({ action: 'deny' });
  expect(followed).toEqual([url]);
});

test('S1 our own page may be loaded again in its window, and nowhere else', () => {
  const { isPrevented, open } = guardedPage();
  const url = 'app://vise/';
  expect(isPrevented('will-navigate', { url })).toBe(false);
  expect(isPrevented('will-frame-navigate', { url, isMainFrame: true })).toBe(false);
  expect(isPrevented('will-frame-navigate', { url, isMainFrame: false })).toBe(true);
  expect(open(url)).toEqual({ action: 'deny' });
});

test('S1 a redirect and a <webview> are refused wherever they lead', () => {
  const { isPrevented } = guardedPage();
  expect(isPrevented('will-redirect', { url: 'app://vise/' })).toBe(true);
  expect(isPrevented('will-attach-webview', {})).toBe(true);
});

test('S1 pages get no download, no device, no permission and no request but to the app', () => {
  const set = new Map<string, (...words: unknown[]) => unknown>();
  const keep = (name: string) => (handler: (...words: unknown[]) => unknown) => void set.set(name, handler);
  const session = Object.assign(new EventEmitter(), {
    setPermissionRequestHandler: keep('ask'),
    setPermissionCheckHandler: keep('check'),
    setDevicePermissionHandler: keep('device'),
    webRequest: { onBeforeRequest: keep('request') },
  });
  guardSession(session as unknown as Session); // what is used of it
  const isCancelled = (url: string): unknown => {
    let answer: unknown;
    set.get('request')?.({ url }, ({ cancel }: { readonly cancel: boolean }) => (answer = cancel));
    return answer;
  };
  expect([...foreign.slice(0, 3), 'ws://127.0.0.1:1/'].map(isCancelled)).toEqual([true, true, true, true]);
  expect(['app://vise/index.js', 'data:image/png,1', 'blob:app://vise/1'].map(isCancelled)).toEqual([
    false,
    false,
    false,
  ]);
  let isDownload = true;
  session.emit('will-download', { preventDefault: () => (isDownload = false) });
  expect(isDownload).toBe(false);
  expect(set.get('device')?.()).toBe(false);
  expect(set.get('check')?.({}, 'geolocation', 'app://vise')).toBe(false);
  let mayListen: unknown;
  set.get('ask')?.({}, 'media', (may: unknown) => (mayListen = may), { requestingUrl: 'app://vise/' });
  expect(mayListen).toBe(false);
});
