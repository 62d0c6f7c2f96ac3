import { setTimeout as delay } from 'node:timers/promises';
import { app, BrowserWindow, dialog, powerMonitor } from 'electron';
import { words } from './desktopWords.ts';
import type { EngineHost } from './engineHost.ts';

/** Commands that are told to end get 5 s before they are killed; what takes longer than this hangs. */
const closeLimitMs = 20_000;
/** A logout that was called off: from then on quitting asks again. */
const systemEndMs = 60_000;

const answers = ['stop', 'keep', 'cancel'] as const;

/**
 * Ends the engine before the app: with tasks running the person chooses what becomes of them. Where the system ends
 * (logout, shutdown, a signal) nothing is asked and nothing vetoed: every fact is on the disk already, and commands end with the
 * process that holds them.
 */
export function askBeforeQuit(engine: Promise<EngineHost>): {
  /** Whether a window may close now; the last one asks like quitting does. */
  readonly mayClose: () => boolean;
} {
  let step: 'open' | 'asking' | 'ended' = 'open';
  let systemEndsUntil = 0;
  let host: EngineHost | undefined;
  void engine.then(
    (started) => {
      host = started;
    },
    () => undefined,
  );
  const systemEnds = (): void => {
    systemEndsUntil = Date.now() + systemEndMs;
  };

  const end = async (tasks: 'stop' | 'keep'): Promise<void> => {
    const limit = new AbortController();
    const closing = engine.then((started) => started.close(tasks)).catch(() => undefined);
    await Promise.race([closing, delay(closeLimitMs, undefined, { signal: limit.signal }).catch(() => undefined)]);
    limit.abort();
    step = 'ended';
    app.quit();
  };
  const ask = async (): Promise<void> => {
    const { running } = host?.counts() ?? { running: 0 };
    const answer = running === 0 ? 'stop' : await askPerson(running);
    if (answer !== 'cancel') return end(answer);
    step = 'open';
  };

  app.on('before-quit', (event) => {
    if (step === 'ended') return;
    if (Date.now() < systemEndsUntil) {
      step = 'ended';
      void host?.close('stop').catch(() => undefined);
      return;
    }
    event.preventDefault();
    if (step === 'asking') return;
    step = 'asking';
    void ask();
  });
  powerMonitor.on('shutdown', systemEnds);
  // A logout on Linux, and whoever ends it from a terminal: a question would only wait for the kill.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      systemEnds();
      app.quit();
    });
  // Windows ends an app without `before-quit`; its windows are told.
  app.on('browser-window-created', (_event, window) => {
    window.on('session-end', () => {
      step = 'ended';
      void host?.close('stop').catch(() => undefined);
    });
  });
  return {
    mayClose() {
      const isLast = BrowserWindow.getAllWindows().length === 1 && process.platform !== 'darwin';
      if (step === 'ended' || Date.now() < systemEndsUntil || !isLast || host?.counts().running === 0) return true;
      if (host === undefined) return true;
      app.quit();
      return false;
    },
  };
}

async function askPerson(running: number): Promise<(typeof answers)[number]> {
  const { quit, cancel } = words();
  const options = {
    type: 'question' as const,
    message: quit.running(running),
    detail: quit.kept,
    buttons: [quit.stop, quit.keep, cancel],
    defaultId: 2,
    cancelId: 2,
    noLink: true,
  };
  const [window] = BrowserWindow.getAllWindows();
  const { response } = window ? await dialog.showMessageBox(window, options) : await dialog.showMessageBox(options);
  return answers[response] ?? 'cancel';
}
