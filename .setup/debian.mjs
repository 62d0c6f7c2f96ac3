import { existsSync } from 'node:fs';
import { findProgram, run, say } from './project.mjs';

/** Whether a person has forbidden that the set-up installs system packages or fetches a browser. */
export const mayInstall = () => !process.env['VISE_NO_INSTALL'];

/** Whether packages may be installed here without asking: Debian or its kin, as root, and nobody forbade it. */
export function canInstallDebian() {
  const isDebian = existsSync('/etc/debian_version') && findProgram('apt-get') !== undefined;
  return mayInstall() && isDebian && process.getuid?.() === 0;
}

let listsAreFresh = false;

/**
 * Installs Debian packages, after refreshing the package lists once. Says what it does and, on failure, what apt said.
 * @param {readonly string[]} names
 * @returns {Promise<boolean>} whether they are installed now
 */
export async function installDebian(names) {
  const install = ['install', '-y', '--no-install-recommends', ...names];
  say(`Installing system packages: apt-get ${install.join(' ')}   (VISE_NO_INSTALL=1 forbids it)`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const limits = { quiet: true, env, timeLimitMs: 10 * 60_000 };
  if (!listsAreFresh) {
    await run('apt-get', ['update'], limits);
    listsAreFresh = true;
  }
  const done = await run('apt-get', install, limits);
  if (done.code !== 0) say(`apt-get could not install them:\n${done.output.trim().split('\n').slice(-5).join('\n')}`);
  return done.code === 0;
}

/** Small programs that some tests drive, and the Debian package of each. */
const testPrograms = { bwrap: 'bubblewrap', git: 'git', jq: 'jq' };

/** Installs what tests drive and is missing, where that can be done unasked, else names it. */
export async function ensureTestPrograms() {
  const missing = Object.entries(testPrograms).filter(([program]) => findProgram(program) === undefined);
  if (missing.length === 0) return;
  if (canInstallDebian()) await installDebian(missing.map(([, name]) => name));
  else say(`Not found: ${missing.map(([program]) => program).join(', ')}. Tests that need them say so.`);
}
