import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { chromiumLaunch } from '../harness/chromiumLaunch.ts';
import type { FromBrowser, ToBrowser } from './cdp.ts';
import { sendBinding } from './pageWorlds.ts';
import { pack, unpack } from './wire.ts';

// A thread of its own for the Chromium that plays Electron's and the DevTools protocol over its two pipes. A real
// Electron's main process pays one structured clone for a message, which `postMessage` costs here too; text and base64
// of the protocol would else count as time of the product's event loop.

const port = parentPort;
if (port === null) throw new Error('This is a worker.');
const tell = (message: FromBrowser): void => port.postMessage(message);

/** For a picture with its frame the window is one of Chromium's app mode, on the display that there is. */
const shown = ['--app=data:text/html,', '--test-type', '--window-position=0,0', '--window-size=1440,900'];
const unseen = ['--headless=new', '--hide-scrollbars', '--no-startup-window'];

/** Starts the Chromium, with its profile where the app has its own; it ends when its pipes close. */
function startChromium(profile: string): ChildProcess {
  const { executablePath, args = [] } = chromiumLaunch();
  return spawn(
    executablePath ?? 'chromium',
    [
      ...args,
      ...(process.env['STAND_IN_SHOWN'] === '1' ? shown : unseen),
      '--remote-debugging-pipe',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      '--password-store=basic',
      '--use-mock-keychain',
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], detached: true },
  );
}

const { profile } = workerData as { readonly profile: string };
const portFile = join(profile, 'DevToolsActivePort');
rmSync(portFile, { force: true });
const child = startChromium(profile);
tell({ kind: 'started', pid: child.pid });
child.once('error', ({ message }) => tell({ kind: 'failed', why: message }));
const write = child.stdio[3] as Writable; // the first of the two pipes
const read = child.stdio[4] as Readable;
write.on('error', () => undefined);

port.on('message', ({ id, method, params, session, deliver }: ToBrowser) => {
  const expression = deliver && `standInDeliver(${JSON.stringify(pack(deliver))})`;
  const sent = expression === undefined ? params : { ...params, expression };
  write.write(`${JSON.stringify({ id, method, params: sent, sessionId: session })}\0`);
});

/** What a page sends crosses as values, not as its text. */
function take(text: string): void {
  const { id, method, sessionId, params, result, error } = JSON.parse(text) as Message;
  if (id !== undefined) return tell({ kind: 'answer', id, result: result ?? {}, error: error?.message });
  if (method === undefined) return;
  const isSent = method === 'Runtime.bindingCalled' && params?.name === sendBinding;
  const values = isSent && params.payload !== undefined ? { sent: unpack(params.payload) } : (params ?? {});
  tell({ kind: 'event', session: sessionId ?? '', method, params: values });
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: { readonly name?: string; readonly payload?: string };
  readonly result?: object;
  readonly error?: { readonly message: string };
}

let rest: string[] = [];
read.setEncoding('utf8').on('data', (text: string) => {
  const [first = '', ...more] = text.split('\0');
  rest.push(first);
  for (const part of more) {
    take(rest.join(''));
    rest = [part];
  }
});
read.on('close', () => tell({ kind: 'gone' }));

for (;;) {
  const [debugPort, path] = readIfThere(portFile).split('\n');
  if (debugPort && path) {
    tell({ kind: 'endpoint', endpoint: `ws://127.0.0.1:${debugPort}${path}` });
    break;
  }
  if (child.exitCode !== null) {
    tell({ kind: 'failed', why: `Chromium ended at once (${child.exitCode}).` });
    break;
  }
  await after(20);
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
