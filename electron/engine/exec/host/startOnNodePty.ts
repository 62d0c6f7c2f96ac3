import type { LoadedPty } from './nodePty.ts';
import type { StartOrder } from './protocol.ts';
import type { ProcessListener, RunningProcess } from './runningProcess.ts';

/** macOS and Windows: a person's shell through node-pty's own class, which knows how those systems open a session. */
export function startOnNodePty(pty: LoadedPty, order: StartOrder, listener: ProcessListener): RunningProcess {
  const terminal = pty.spawn(order.file, [...order.args], {
    name: order.env['TERM'] ?? 'xterm-256color',
    cols: order.columns,
    rows: order.rows,
    cwd: order.cwd,
    env: { ...order.env },
    encoding: null,
  });
  terminal.onData((data) => listener.output('stdout', Buffer.from(data)));
  let isOver = false;
  terminal.onExit(({ exitCode, signal }) => {
    isOver = true;
    listener.exited(exitCode, signal ? String(signal) : null);
    listener.closed();
  });
  return {
    pid: terminal.pid,
    input: (data) => terminal.write(data),
    resize: (columns, rows) => {
      try {
        terminal.resize(columns, rows);
      } catch {
        // it throws when the process is gone
      }
    },
    // It signals the number, which may be another's after the end.
    close: () => isOver || terminal.kill(),
  };
}
