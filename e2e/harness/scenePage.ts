import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Page } from '@playwright/test';
import type { FakeHost } from '../../renderer/testing/fakeHost.ts';
import { productRoot } from './folders.ts';

/** Nothing listens there: every request is answered by the test. A name below `localhost` is a secure context. */
const origin = 'http://pictures.localhost';

const kinds: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
};

/** The fonts that the project brings, under the first name of each list of `renderer/theme/index.css`. */
const fonts = [
  ['Segoe UI Variable Text', 'inter', 'inter-latin-wght-normal'],
  ['SF Mono', 'jetbrains-mono', 'jetbrains-mono-latin-wght-normal'],
] as const;

function fontData(name: string, file: string): string {
  const path = join(productRoot, 'node_modules', '@fontsource-variable', name, 'files', `${file}.woff2`);
  return readFileSync(path).toString('base64');
}

/** Opens the built page on a host without an engine, at a time that stands still, in fonts of the project. */
export async function openScene(page: Page, host: FakeHost, nowMs: number, kept: Readonly<Record<string, object>>) {
  await page.clock.setFixedTime(nowMs);
  await page.addInitScript(
    ({ faces, stored }) => {
      for (const [name, data] of faces) {
        const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
        document.fonts.add(new FontFace(name, bytes, { weight: '100 900' }));
      }
      for (const [name, value] of Object.entries(stored)) localStorage.setItem(name, JSON.stringify(value));
    },
    { faces: fonts.map(([family, name, file]) => [family, fontData(name, file)] as const), stored: kept },
  );
  await page.route(`${origin}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    const path = pathname === '/' ? '/index.html' : pathname;
    const contentType = kinds[extname(path)] ?? 'application/octet-stream';
    await route.fulfill({ path: join(productRoot, 'out', 'renderer', path), contentType });
  });
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const end = host.connect();
    end.onFrame((frame) => socket.send(frame instanceof Uint8Array ? Buffer.from(frame) : JSON.stringify(frame)));
    socket.onMessage((text) => end.post(JSON.parse(String(text)) as object));
    socket.onClose(() => end.close('the page has gone'));
  });
  await page.goto(`${origin}/`);
}
