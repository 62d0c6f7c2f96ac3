import type { Mask } from './inherited.ts';
import type { StartOrder } from './protocol.ts';
import { type ProcessListener, type RunningProcess, spawnLinked, started } from './runningProcess.ts';

/** Throws the system's error when the program cannot be started. `masked` is what stands for the descriptors from 3 on. */
export async function startOnPipes(
  order: StartOrder,
  listener: ProcessListener,
  masked: Mask,
): Promise<RunningProcess> {
  const hasInput = order.terminal === 'full' || order.input !== undefined;
  const child = spawnLinked(order.file, order.args, order, {
    detached: process.platform !== 'win32',
    stdio: [hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe', ...masked],
  });
  let open = 2;
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.on('data', (chunk: Buffer) => listener.output(name, chunk));
    child[name]?.on('close', () => {
      open -= 1;
      if (open === 0) listener.closed();
    });
  }
  child.stdin?.on('error', () => undefined); // the command closed its input
  if (order.input !== undefined) child.stdin?.end(order.input);
  const pid = await started(child, listener);
  return {
    pid,
    input: (data) => child.stdin?.write(data),
    resize: () => undefined,
    close: () => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    },
  };
}
