import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app, BrowserWindow, crashReporter, dialog, ipcMain, session, type WebContents } from 'electron';
import { type Connection, maxFrameChars } from '../../shared/contract/connection.ts';
import { describeError, type Log } from '../engine/base/log.ts';
import type { Places } from '../engine/base/places.ts';
import { serveScheme } from './appScheme.ts';
import { followLink } from './askFirst.ts';
import { onPageMessage } from './desktopChannel.ts';
import { speak, words } from './desktopWords.ts';
import type { EngineHost } from './engineHost.ts';
import { guardPages, guardSession } from './guards.ts';
import { type KeptStateFile, openKeptState } from './keptState.ts';
import { linkScheme, type OpenRequest, requestOfData, requestOfLink } from './openRequest.ts';
import { openRequested } from './openRequested.ts';
import { askBeforeQuit } from './quit.ts';
import { createWindows } from './windows.ts';

export interface DesktopStart {
  readonly places: Places;
  /** The desktop's own folder: its state and Chromium's profile. */
  readonly userData: string;
  readonly request: OpenRequest;
}

/** `out/`, in the project and in the archive of a packed app alike. */
const outFolder = dirname(dirname(fileURLToPath(import.meta.url)));

const log: Log = {
  warn: (what, error) =>
    void process.stderr.write(`vise: ${what}${error === undefined ? '' : `: ${describeError(error)}`}\n`),
};

/**
 * The life of the one instance. Only the window and what guards it is loaded here; the engine comes while the page
 * loads, and what surrounds the window comes after its first paint.
 */
export function startDesktop({ places, userData, request }: DesktopStart): void {
  guardPages(app, (contents, address) => void followLink(contents, address));
  const kept = openKeptState(userData, log);
  speak(kept.now.language, app.getPreferredSystemLanguages());
  if (kept.now.crashReports) keepCrashReports(join(userData, 'crashes'));
  const early: OpenRequest[] = [request];
  let take = (later: OpenRequest): void => void early.push(later);
  app.on('second-instance', (_event, _argv, _cwd, data) => take(requestOfData(data)));
  app.on('open-file', (event, path) => {
    event.preventDefault();
    take({ kind: 'folder', path, asks: false });
  });
  app.on('open-url', (event, link) => {
    event.preventDefault();
    take(requestOfLink(link));
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  void app
    .whenReady()
    .then(() => {
      take = run(places, userData, kept);
      for (const waiting of early) take(waiting);
    })
    .catch(failToStart);
}

function run(places: Places, userData: string, kept: KeptStateFile): (request: OpenRequest) => void {
  guardSession(session.defaultSession);
  serveScheme(join(outFolder, 'renderer'));
  app.setAsDefaultProtocolClient(linkScheme);
  // Beside the archive lies what other processes open.
  const programFolder = app.isPackaged ? join(process.resourcesPath, 'app.asar.unpacked') : dirname(outFolder);
  // `bin/` and `icons/` of a packed app lie with its archive, in the project with the other resources.
  const resources = app.isPackaged ? process.resourcesPath : join(programFolder, 'resources');
  // Asked for now, it comes once the window is on its way.
  const engine: Promise<EngineHost> = import('./engineHost.ts').then(({ startEngineHost }) =>
    startEngineHost({ places, userData, programFolder, log }),
  );
  engine.catch(failToStart);
  const quit = askBeforeQuit(engine);
  const windows = createWindows({
    outFolder,
    kept,
    maxFrameChars,
    connect: (connection: Connection) =>
      void engine.then(
        (host) => host.connect(connection),
        () => undefined,
      ),
    mayClose: quit.mayClose,
  });
  const first = windows.open();
  app.on('activate', () => void (BrowserWindow.getAllWindows().length === 0 && windows.open()));
  const painted = new Promise<void>((resolve) => void first.once('ready-to-show', () => resolve()));
  const surroundings = painted.then(async () => {
    const [{ surroundWindows }, host] = await Promise.all([import('./surroundWindows.ts'), engine]);
    return surroundWindows({ windows, kept, host, userData, resources, log });
  });
  surroundings.catch((error: unknown) => log.warn('menu, tray and notices are missing', error));
  const windowOf = (contents: WebContents): BrowserWindow | null => BrowserWindow.fromWebContents(contents);
  onPageMessage({ pipe: ipcMain, windowOf, nowMs: () => performance.now() }, (window, message) => {
    if (message.kind === 'ready') windows.ready(window);
    else
      void surroundings.then(
        (take) => take(window, message),
        () => undefined,
      );
  });
  return (request) => void openRequested(request, windows);
}

/** On this computer, in a folder of the person's own, and nowhere else. Chromium wants to know before it is ready. */
function keepCrashReports(folder: string): void {
  mkdirSync(folder, { recursive: true });
  app.setPath('crashDumps', folder);
  crashReporter.start({ uploadToServer: false });
}

/** Nothing works without an engine: says why, and what can be done, and ends. */
function failToStart(error: unknown): void {
  const { failed, failedMore } = words().start;
  dialog.showErrorBox(failed, failedMore(describeError(error)));
  app.exit(1);
}
