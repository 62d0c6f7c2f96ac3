import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { CopyFolder } from './copyFolder.ts';
import type { Inherited } from './inherited.ts';
import { InputQueue } from './inputQueue.ts';
import type { NativePty } from './nodePty.ts';
import type { StartOrder } from './protocol.ts';
import { type ProcessListener, type RunningProcess, spawnLinked, started } from './runningProcess.ts';
import { TakenTerminals } from './takenTerminals.ts';
import type { TerminalPool } from './terminalPool.ts';
import { Typer } from './typer.ts';

export const defaultColumns = 200;
export const defaultRows = 50;

/** Gives a command a controlling terminal; without it there is none, and the keys that send signals do nothing. */
const setsid =
  process.platform === 'linux' ? ['/usr/bin/setsid', '/bin/setsid'].find((file) => existsSync(file)) : undefined;

export interface TerminalSurroundings {
  readonly native: NativePty;
  readonly pool: TerminalPool;
  /** Where the terminals of the pool are copied to. */
  readonly folder: CopyFolder | undefined;
  readonly inherited: Inherited;
}

/** Throws the system's error when the program cannot be started. */
export async function startOnTerminals(
  { native, pool, folder, inherited }: TerminalSurroundings,
  order: StartOrder,
  listener: ProcessListener,
): Promise<RunningProcess> {
  const taken =
    order.terminal === 'merged'
      ? TakenTerminals.merged(pool.open(), inherited, listener)
      : TakenTerminals.apart(await pool.take(), folder, order, inherited, listener);
  let child: ChildProcess;
  try {
    // stderr first, here and below: the window-size signal comes from the controlling terminal, and then both must be right.
    if (order.columns !== defaultColumns || order.rows !== defaultRows)
      for (const { master } of taken.all.toReversed()) native.resize(master, order.columns, order.rows);
    child = spawnUnder(taken, order, inherited);
  } catch (error) {
    taken.closeSlaves();
    taken.letGo();
    throw error;
  }
  const readers = taken.read();
  const { master } = taken.out;
  const pid = await started(child, listener).catch((error: unknown) => {
    taken.closeSlaves();
    for (const reader of readers) reader.close();
    throw error;
  });
  taken.closeSlaves();
  const input = taken.areCopied ? new Typer(master, (from) => inherited.mask(from)) : new InputQueue(master);
  return {
    pid,
    input: (data) => {
      if (readers[0]?.isOpen === true) input.write(data);
    },
    resize: (columns, rows) => {
      for (const reader of readers.toReversed()) if (reader.isOpen) native.resize(reader.master, columns, rows);
    },
    drained: () => Promise.all(readers.map(({ mark }) => mark.passed())),
    close: () => {
      input.close();
      for (const reader of readers) reader.close();
    },
  };
}

function spawnUnder({ out, err }: TakenTerminals, order: StartOrder, inherited: Inherited): ChildProcess {
  const interactive = order.terminal !== 'output';
  const controlled = interactive && setsid !== undefined;
  const [file, args] = controlled ? [setsid, ['-c', '--', order.file, ...order.args]] : [order.file, order.args];
  return spawnLinked(file, args, order, {
    // `setsid -c` makes the session itself, which it can only as long as it leads no group yet.
    detached: !controlled,
    stdio: [interactive ? out.slave : inherited.nothing, out.slave, err.slave, ...inherited.mask(3)],
  });
}
