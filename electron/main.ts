import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app, BrowserWindow, ipcMain } from 'electron';
import type { Connection } from '../shared/contract/connection.ts';
import { version } from './cli/base/version.ts';
import { systemClock } from './engine/base/clock.ts';
import { describeError } from './engine/base/log.ts';
import { findPlaces } from './engine/base/places.ts';
import { createSecretsFile } from './engine/base/secretsFile.ts';
import { createEngine } from './engine/engine.ts';
import { maxFrameChars } from './engine/serve.ts';
import { announceScheme, serveScheme } from './main/appScheme.ts';
import { ipcConnection } from './main/ipcConnection.ts';
import { createKeychain } from './main/keychain.ts';
import { limitPermissions, openWindow } from './main/window.ts';

const outFolder = dirname(dirname(fileURLToPath(import.meta.url)));

announceScheme();
if (!app.requestSingleInstanceLock()) app.quit();

await app.whenReady();
limitPermissions();
serveScheme(join(outFolder, 'renderer'));

const places = findPlaces(process.env);
const engine = createEngine({
  version,
  places,
  resources: app.isPackaged ? join(process.resourcesPath, 'resources') : join(dirname(outFolder), 'resources'),
  clock: systemClock,
  log: {
    warn: (what, error) =>
      void process.stderr.write(`vise: ${what}${error === undefined ? '' : `: ${describeError(error)}`}\n`),
  },
  env: process.env,
  platform: process.platform,
  secrets: createKeychain(places.config) ?? createSecretsFile(places.config),
  ptyHost: join(outFolder, 'ptyHost.js'),
  interactive: true,
  allow: 'none',
  provider: {},
});

function show(): void {
  const { webContents } = openWindow(outFolder);
  let current: Connection | undefined;
  // Each load of the page gets a connection of its own: a reloaded page knows nothing of the last one.
  webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (!isMainFrame || isSameDocument) return;
    current?.close('the window was reloaded');
    current = ipcConnection(ipcMain, webContents);
    engine.connect(current);
  });
}

show();

/** Lets "vise mcp" ask in this window's inbox; loaded once the window is on its way. Without it everything else works. */
const externalServer = import('./server/externalServer.ts')
  .then(({ startExternalServer }) =>
    startExternalServer({ state: places.state, maxFrameBytes: maxFrameChars, onConnection: engine.connectExternal }),
  )
  .catch((error: unknown) => {
    process.stderr.write(`vise: "vise mcp" cannot ask here: ${describeError(error)}\n`);
    return undefined;
  });

app.on('activate', () => {
  if (BrowserWindow.getAllWindows().length === 0) show();
});
app.on('second-instance', () => {
  const [window] = BrowserWindow.getAllWindows();
  if (window) window.focus();
  else show();
});
app.on('window-all-closed', () => {
  if (process.platform !== 'darwin') app.quit();
});

let closed = false;
app.on('before-quit', (event) => {
  if (closed) return;
  event.preventDefault();
  const closing = externalServer.then((server) => server?.close()).then(() => engine.close());
  void closing.finally(() => {
    closed = true;
    app.quit();
  });
});
