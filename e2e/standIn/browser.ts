import { Worker } from 'node:worker_threads';
import { Cdp, type FromBrowser } from './cdp.ts';

export interface Browser {
  readonly cdp: Cdp;
  /** Where a test joins it. */
  readonly endpoint: string;
  /** Ends it with its whole process group. */
  kill(): void;
}

/** Starts the Chromium that plays Electron's, in a thread of its own. */
export async function startBrowser(profile: string): Promise<Browser> {
  const thread = new Worker(new URL('./browserThread.ts', import.meta.url), { workerData: { profile } });
  const cdp = new Cdp(thread);
  let pid: number | undefined;
  const kill = (): void => {
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  };
  const endpoint = await new Promise<string>((resolve, reject) => {
    thread.on('error', reject);
    thread.on('message', (message: FromBrowser) => {
      if (message.kind === 'started') pid = message.pid;
      if (message.kind === 'endpoint') resolve(message.endpoint);
      if (message.kind === 'failed') reject(new Error(message.why));
    });
  });
  return { cdp, endpoint, kill };
}
