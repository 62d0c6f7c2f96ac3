// electron-builder calls this by `require` when an app lies ready to be signed.
const { chmodSync, existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');

/**
 * node-pty's package ships the program that starts a terminal on macOS without the right to run it.
 * @param {{ packager: { getResourcesDir(appOutDir: string): string }, appOutDir: string }} context
 */
exports.default = async ({ packager, appOutDir }) => {
  const prebuilds = join(packager.getResourcesDir(appOutDir), 'node_modules', 'node-pty', 'prebuilds');
  for (const name of existsSync(prebuilds) ? readdirSync(prebuilds) : []) {
    const helper = join(prebuilds, name, 'spawn-helper');
    if (existsSync(helper)) chmodSync(helper, 0o755);
  }
};
