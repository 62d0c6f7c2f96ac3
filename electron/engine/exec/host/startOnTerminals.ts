import type { ChildProcess } from 'node:child_process';
import { closeSync, existsSync } from 'node:fs';
import type { Inherited } from './inherited.ts';
import { InputQueue } from './inputQueue.ts';
import type { NativePty } from './nodePty.ts';
import type { StartOrder } from './protocol.ts';
import { type ProcessListener, type RunningProcess, spawnLinked, started } from './runningProcess.ts';
import type { Terminal, TerminalPool } from './terminalPool.ts';
import { TerminalReader } from './terminalReader.ts';

export const defaultColumns = 200;
export const defaultRows = 50;

/** Gives a command a controlling terminal; without it there is none, and the keys that send signals do nothing. */
const setsid =
  process.platform === 'linux' ? ['/usr/bin/setsid', '/bin/setsid'].find((file) => existsSync(file)) : undefined;

export interface TerminalSurroundings {
  readonly native: NativePty;
  readonly pool: TerminalPool;
  readonly inherited: Inherited;
}

/** Throws the system's error when the program cannot be started. */
export async function startOnTerminals(
  { native, pool, inherited }: TerminalSurroundings,
  order: StartOrder,
  listener: ProcessListener,
): Promise<RunningProcess> {
  const terminals = openTerminals(pool, order);
  const { out, err } = terminals;
  let child: ChildProcess;
  try {
    // stderr first, here and below: the window-size signal comes from the controlling terminal, and then both must be right.
    if (order.columns !== defaultColumns || order.rows !== defaultRows)
      for (const { master } of terminals.all.toReversed()) native.resize(master, order.columns, order.rows);
    child = spawnUnder(terminals, order, inherited);
  } catch (error) {
    for (const terminal of terminals.all) pool.discard(terminal);
    throw error;
  }
  let readers: readonly TerminalReader[] = [];
  try {
    readers = read(terminals, order, inherited, listener);
    const pid = await started(child, listener);
    const input = new InputQueue(out.master);
    return {
      pid,
      input: (data) => {
        if (readers[0]?.isOpen === true) input.write(data);
      },
      resize: (columns, rows) => {
        for (const reader of readers.toReversed()) if (reader.isOpen) native.resize(reader.master, columns, rows);
      },
      drained: () => Promise.all(readers.map((reader) => reader.drained())),
      close: () => {
        input.close();
        for (const reader of readers) reader.close();
      },
    };
  } catch (error) {
    for (const reader of readers) reader.close();
    throw error;
  } finally {
    for (const { slave } of new Set([out, err])) closeSync(slave);
  }
}

/** `out` and `err` are the same when one terminal serves for everything. */
interface Terminals {
  readonly out: Terminal;
  readonly err: Terminal;
  readonly all: readonly Terminal[];
}

function openTerminals(pool: TerminalPool, order: StartOrder): Terminals {
  if (order.terminal === 'merged') {
    const one = pool.open();
    return { out: one, err: one, all: [one] };
  }
  const out = pool.take();
  try {
    const err = pool.open();
    return { out, err, all: [out, err] };
  } catch (error) {
    pool.discard(out);
    throw error;
  }
}

function read(
  { out, err, all }: Terminals,
  order: StartOrder,
  inherited: Inherited,
  listener: ProcessListener,
): readonly TerminalReader[] {
  let open = all.length;
  const readerOf = (terminal: Terminal, name: 'stdout' | 'stderr'): TerminalReader =>
    // What a shell's own conversions make is what its reader is to see.
    new TerminalReader(terminal, order.terminal !== 'merged' && !terminal.raw, {
      output: (chunk) => listener.output(name, chunk),
      closed: () => {
        inherited.delete(terminal.master);
        open -= 1;
        if (open === 0) listener.closed();
      },
    });
  return out === err ? [readerOf(out, 'stdout')] : [readerOf(out, 'stdout'), readerOf(err, 'stderr')];
}

function spawnUnder({ out, err }: Terminals, order: StartOrder, inherited: Inherited): ChildProcess {
  const interactive = order.terminal !== 'output';
  const controlled = interactive && setsid !== undefined;
  const [file, args] = controlled ? [setsid, ['-c', '--', order.file, ...order.args]] : [order.file, order.args];
  return spawnLinked(file, args, order, {
    // `setsid -c` makes the session itself, which it can only as long as it leads no group yet.
    detached: !controlled,
    stdio: [interactive ? out.slave : inherited.nothing, out.slave, err.slave, ...inherited.mask(3)],
  });
}
