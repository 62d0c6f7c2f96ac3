import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { net, protocol } from 'electron';
import { safetyHeaders } from '../server/staticFiles.ts';

export const appOrigin = 'app://vise';

/** Before the app is ready: the window is served from a scheme of its own, never from file:// (S1). */
export function announceScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Serves the built window below `app://vise/`; nothing outside the folder is reachable. */
export function serveScheme(folder: string): void {
  const root = realpathSync(folder);
  protocol.handle('app', async (request) => {
    const url = new URL(request.url);
    if (url.host !== 'vise') return new Response('There is nothing here.', { status: 404 });
    const name = url.pathname === '/' ? '/index.html' : decodeURIComponent(url.pathname);
    const path = join(root, name);
    if (!path.startsWith(root + sep)) return new Response('There is nothing here.', { status: 404 });
    const found = await net.fetch(pathToFileURL(path).toString());
    const headers = new Headers(found.headers);
    for (const [header, value] of Object.entries(safetyHeaders)) headers.set(header, value);
    return new Response(found.body, { status: found.status, headers });
  });
}
