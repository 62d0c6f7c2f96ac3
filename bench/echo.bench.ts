import { spawn } from 'node-pty';
import { testExecutor } from '../electron/engine/exec/testing/testExecutor.ts';
import { compare, isSmoke, report } from './measure/report.ts';

// From a key in a person's shell to its echo, while another task floods its own view: Vise against raw node-pty terminals
// with the same shell and the same flood. Target: p95 of ours is at most 15 ms.

const keys = isSmoke ? 5 : 300;
const pauseMs = 20;
const shell = '/bin/sh';
const floodLine = 'x'.repeat(61);

/** A terminal to type into; `heard` is called with all it prints. */
interface Typed {
  heard: (text: string) => void;
  readonly type: (text: string) => void;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Times of keys to their echoes, ms. */
async function typeInto(terminal: Typed): Promise<readonly number[]> {
  const times: number[] = [];
  for (let key = 0; key < keys; key += 1) {
    // Letters that the prompt does not have; the line is emptied before it is long.
    const letter = key % 2 === 0 ? 'q' : 'j';
    if (key % 40 === 39) terminal.type('\x15');
    await pause(pauseMs);
    const echoed = Promise.withResolvers<number>();
    const limit = setTimeout(() => echoed.reject(new Error('A key had no echo for 10 s.')), 10_000);
    terminal.heard = (text) => {
      if (text.includes(letter)) echoed.resolve(performance.now());
    };
    const started = performance.now();
    terminal.type(letter);
    times.push((await echoed.promise) - started);
    clearTimeout(limit);
    terminal.heard = () => undefined;
  }
  return times;
}

async function ours(): Promise<readonly number[]> {
  const lab = testExecutor({ environment: { ...process.env, SHELL: shell, PS1: '$ ' } });
  const size = { columns: 80, rows: 24 };
  const attach = async (id: string, heard: (bytes: Buffer) => void): Promise<void> => {
    const attached = await lab.executor.attach(id, {
      ...size,
      onBytes: (bytes) => {
        heard(bytes);
        if (attached.ok) attached.value.ack(bytes.length);
      },
      onEnd: () => undefined,
    });
    if (!attached.ok) throw new Error(attached.error.message);
  };
  try {
    const started = await lab.executor.shell('bench', lab.workspace, size.columns, size.rows);
    if (!started.ok) throw new Error(started.error.message);
    const { id } = started.value;
    const typed: Typed = { heard: () => undefined, type: (text) => void lab.executor.input(id, text) };
    await attach(id, (bytes) => typed.heard(bytes.toString('latin1')));
    let flooded = 0;
    const flood = await lab.background(`yes ${floodLine}`);
    await attach(flood.id, (bytes) => {
      flooded += bytes.length;
    });
    const times = await typeInto(typed);
    // A smoke run is over before a busy machine has flooded much.
    if (flooded < (isSmoke ? 1 : 1_000_000)) throw new Error(`The flood was one of ${flooded} bytes.`);
    return times;
  } finally {
    await lab.close();
  }
}

async function raw(): Promise<readonly number[]> {
  const env = { PATH: process.env['PATH'] ?? '', PS1: '$ ' };
  const terminal = spawn(shell, ['-i'], { env, encoding: null });
  const flood = spawn('yes', [floodLine], { env, encoding: null });
  try {
    const typed: Typed = { heard: () => undefined, type: (text) => terminal.write(text) };
    // The typings say text; with `encoding: null` it is bytes.
    terminal.onData((bytes: string | Buffer) => typed.heard(bytes.toString('latin1')));
    flood.onData(() => undefined);
    return await typeInto(typed);
  } finally {
    flood.kill('SIGKILL');
    terminal.kill('SIGKILL');
  }
}

report(compare('echoUnderFlood', 'ms', { ours: await ours(), reference: await raw() }));
