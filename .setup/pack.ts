import { join } from 'node:path';
import { buildStale } from './buildParts.ts';
import { findBinary } from './electronBinary.ts';
import { root, run, say } from './project.mjs';
import { makeStandInElectron } from './standInElectron.ts';

/**
 * `npm run dist` packs for this machine, `npm run dist:dir` (`--dir`) only the unpacked app. Without an Electron binary
 * the second uses a stand-in for it and says so; the first downloads Electron. Further words go to electron-builder.
 * @returns the exit code
 */
export async function pack(words: readonly string[]): Promise<number> {
  if (!(await buildStale())) return 1;
  const isUnpacked = words.includes('--dir');
  const args: string[] = [...words];
  // Each system and architecture is packed on a machine of its own: the native parts are those that are installed.
  if (!words.some((word) => /^--(?:x64|arm64)$/.test(word))) args.push(process.arch === 'arm64' ? '--arm64' : '--x64');
  if (isUnpacked && findBinary() === undefined) {
    if (process.platform !== 'linux') {
      say('There is no Electron binary. Run "npm start" once, which downloads it.');
      return 1;
    }
    args.push('--linux', `-c.electronDist=${makeStandInElectron()}`);
    say('There is no Electron binary: the app is packed around a stand-in, which has no window.');
  }
  const { CSC_LINK, APPLE_API_KEY_ID, VISE_UPDATE_URL } = process.env;
  if (CSC_LINK && APPLE_API_KEY_ID && process.platform === 'darwin') args.push('-c.mac.notarize=true');
  // Only a signed build learns where its updates are: nothing could show where an unsigned one's come from.
  if (CSC_LINK && VISE_UPDATE_URL) args.push('-c.publish.provider=generic', `-c.publish.url=${VISE_UPDATE_URL}`);
  const builder = join(root, 'node_modules', 'electron-builder', 'cli.js');
  const env = { ...process.env, CSC_IDENTITY_AUTO_DISCOVERY: CSC_LINK ? 'true' : 'false' };
  const { code } = await run(process.execPath, [builder, ...args, '--publish', 'never'], { env });
  return code;
}
