import { existsSync } from 'node:fs';
import { findProgram, run, say } from './project.mjs';

/** Whether packages may be installed here without asking: Debian or its kin, as root. */
export function canInstallDebian() {
  return existsSync('/etc/debian_version') && process.getuid?.() === 0 && findProgram('apt-get') !== undefined;
}

let listsAreFresh = false;

/**
 * Installs Debian packages, after refreshing the package lists once. Says what it does and, on failure, what apt said.
 * @param {readonly string[]} names
 * @returns {Promise<boolean>} whether they are installed now
 */
export async function installDebian(names) {
  say(`Installing ${names.join(', ')} with apt-get …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const limits = { quiet: true, env, timeLimitMs: 10 * 60_000 };
  if (!listsAreFresh) {
    await run('apt-get', ['update'], limits);
    listsAreFresh = true;
  }
  const done = await run('apt-get', ['install', '-y', '--no-install-recommends', ...names], limits);
  if (done.code !== 0) say(`apt-get could not install them:\n${done.output.trim().split('\n').slice(-5).join('\n')}`);
  return done.code === 0;
}

/** Small programs that some tests drive, and the Debian package of each. */
const testPrograms = { bwrap: 'bubblewrap', git: 'git', jq: 'jq' };

/** Installs what tests drive and is missing, where that can be done unasked. Tests say themselves what they miss. */
export async function ensureTestPrograms() {
  const missing = Object.entries(testPrograms).filter(([program]) => findProgram(program) === undefined);
  if (missing.length > 0 && canInstallDebian()) await installDebian(missing.map(([, name]) => name));
}
