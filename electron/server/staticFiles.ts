import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Monaco and xterm set styles inline, nothing else is inline; nothing comes from elsewhere. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.map': 'application/json',
};

export const safetyHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
};

export function contentTypeOf(path: string): string {
  return types[extname(path)] ?? 'application/octet-stream';
}

/** Sends one file of the built window. Nothing outside `folder` is reachable, not by `..` and not through a link. */
export async function sendFile(folder: string, pathname: string, response: ServerResponse): Promise<void> {
  const path = await findFile(folder, pathname === '/' ? '/index.html' : pathname);
  if (path === undefined) {
    response
      .writeHead(404, { ...safetyHeaders, 'Content-Type': 'text/plain; charset=utf-8' })
      .end('There is nothing here.\n');
    return;
  }
  // Built files carry a hash in their name; the page itself does not.
  const cache = pathname.startsWith('/assets/') ? 'private, max-age=31536000, immutable' : 'no-store';
  response.writeHead(200, {
    ...safetyHeaders,
    'Content-Type': contentTypeOf(path),
    'Cache-Control': cache,
  });
  await pipeline(createReadStream(path), response);
}

/** The real path of a file below `folder`; undefined for what is missing, malformed or leads out of it. */
export async function findFile(folder: string, pathname: string): Promise<string | undefined> {
  let name: string;
  try {
    name = decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
  if (name.includes('\0')) return undefined;
  const root = await realpath(folder).catch(() => undefined);
  const path = root === undefined ? undefined : await realpath(join(root, name)).catch(() => undefined);
  if (root === undefined || path === undefined || !path.startsWith(root + sep)) return undefined;
  return (await stat(path)).isFile() ? path : undefined;
}
