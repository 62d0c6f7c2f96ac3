import { readFile } from 'node:fs/promises';
import { protocol } from 'electron';
import { contentTypeOf, findFile, safetyHeaders } from '../server/staticFiles.ts';

/** Before the app is ready: the window is served from a scheme of its own, never from file:// (S1). */
export function announceScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Serves the built window below `app://vise/`: nothing outside the folder, and 404 for what is missing or malformed. */
export function serveScheme(folder: string): void {
  protocol.handle('app', ({ url, method }) => answer(folder, url, method));
}

async function answer(folder: string, address: string, method: string): Promise<Response> {
  const url = URL.parse(address);
  const path =
    url?.host === 'vise' && method === 'GET'
      ? await findFile(folder, url.pathname === '/' ? '/index.html' : url.pathname)
      : undefined;
  const bytes = path === undefined ? undefined : await readFile(path).catch(() => undefined);
  if (path === undefined || bytes === undefined)
    return new Response('There is nothing here.\n', {
      status: 404,
      headers: { ...safetyHeaders, 'Content-Type': 'text/plain; charset=utf-8' },
    });
  return new Response(bytes, {
    headers: { ...safetyHeaders, 'Content-Type': contentTypeOf(path), 'Cache-Control': 'no-cache' },
  });
}
