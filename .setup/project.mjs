import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { constants as system } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

/** The folder of package.json. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * What the set-up tells a person. It goes to stderr, since the first line on stdout belongs to what is started.
 * @param {string} text
 */
export function say(text) {
  process.stderr.write(`${process.stderr.isTTY ? text : stripVTControlCharacters(text)}\n`);
}

/**
 * The first program of this name in PATH.
 * @param {string} name
 * @returns {string | undefined}
 */
export function findProgram(name) {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', ''] : [''];
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    if (folder === '') continue;
    for (const ending of endings) {
      const path = join(folder, name + ending);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // Not here: look in the next folder.
      }
    }
  }
  return undefined;
}

/**
 * Ends a child and what it started. The child must lead its own process group where there are groups.
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function endGroup(child, signal) {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/**
 * Runs a program to its end, with closed standard input. With `quiet` its output is kept (the last 200,000 characters)
 * instead of shown. After `timeLimitMs` its whole process group is ended: TERM, and KILL after 5 s.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ quiet?: boolean, env?: NodeJS.ProcessEnv, timeLimitMs?: number }} [options]
 * @returns {Promise<{ code: number, output: string, timedOut: boolean }>} `code` is 127 where it could not be started,
 * 128 and the signal's number where it was killed
 */
export function run(program, args, options = {}) {
  return new Promise((resolve) => {
    const windows = process.platform === 'win32';
    const child = spawn(program, args, {
      cwd: root,
      env: options.env ?? process.env,
      stdio: ['ignore', options.quiet ? 'pipe' : 'inherit', options.quiet ? 'pipe' : 'inherit'],
      detached: !windows,
      shell: windows && program.endsWith('.cmd'),
    });
    let output = '';
    let timedOut = false;
    /** Our own exit code, once somebody has asked this program to end. */
    let interrupted = 0;
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => {
        output = (output + text).slice(-200_000);
      });

    /** @type {NodeJS.Timeout[]} */
    const timers = [];
    if (options.timeLimitMs !== undefined)
      timers.push(
        setTimeout(() => {
          timedOut = true;
          endGroup(child, 'SIGTERM');
          timers.push(setTimeout(() => endGroup(child, 'SIGKILL'), 5_000));
        }, options.timeLimitMs),
      );
    /** @param {NodeJS.Signals} signal */
    const pass = (signal) => {
      endGroup(child, signal);
      interrupted = signal === 'SIGINT' ? 130 : 143;
    };
    process.on('SIGINT', pass).on('SIGTERM', pass);
    /** @param {number} code */
    const settle = (code) => {
      for (const timer of timers) clearTimeout(timer);
      process.off('SIGINT', pass).off('SIGTERM', pass);
      if (interrupted > 0) process.exit(interrupted);
      resolve({ code, output, timedOut });
    };
    child.on('error', (error) => {
      output += String(error);
      settle(127);
    });
    // 'close' would wait for whoever inherited the pipes; a left-over grandchild must not hang the set-up.
    child.on('exit', (exitCode, signal) => {
      // As a shell tells of a program that was killed.
      const code = exitCode ?? 128 + (signal === null ? 0 : system.signals[signal]);
      const grace = setTimeout(() => settle(code), 1_000);
      child.on('close', () => {
        clearTimeout(grace);
        settle(code);
      });
    });
  });
}
