import type { Part } from './stale.ts';

/** Packages that are not bundled: native bindings, binaries beside their code, or what only the desktop provides. */
export const external: readonly string[] = [
  'electron',
  'node-pty',
  'playwright-core',
  '@vscode/ripgrep',
  '@vscode/tree-sitter-wasm',
  'web-tree-sitter',
  // Loaded in the middle of reading a file that is neither UTF-8 nor ASCII, which no bundled chunk can be.
  'jschardet',
  // Optional accelerators of ws that are not installed.
  'bufferutil',
  'utf-8-validate',
];

/** Programs for Node: the place below out/ (without ending) and the source. */
export const hostEntries: Readonly<Record<string, string>> = {
  'host/cli': 'electron/cli.ts',
  ptyHost: 'electron/ptyHost.ts',
  patternWorker: 'electron/engine/project/textSearch/patternWorker.ts',
  symbolWorker: 'electron/engine/project/symbols/symbolWorker.ts',
  tokenWorker: 'electron/engine/model/tokens/tokenWorker.ts',
  serverProbe: 'electron/engine/rehearsal/servers/probe.ts',
};

/** What the command line needs to know its command. The entry itself stays alone: what awaits must not be imported. */
export const everyStart: readonly string[] = ['electron/cli/main.ts', 'electron/cli/base/io.ts'];

/**
 * What a task needs before its first request. With all that they import, these go into one file: each file more costs a
 * start 0.7 ms.
 */
export const firstRequest: readonly string[] = [
  'electron/cli/exec.ts',
  // The first turn takes the tools of specs as their files describe them.
  'electron/engine/openProject/loadSpecTools.ts',
  // What the dialects share; each of them is a file of its own.
  'electron/engine/model/base/signedReply.ts',
  'electron/engine/model/base/usage.ts',
];

/** Entries of the desktop (electron-vite). */
export const desktopEntries: readonly string[] = ['electron/main.ts', 'electron/preload.ts'];

/** Entry of the page, the same for the desktop and the browser. */
export const rendererEntry = 'renderer/index.html';

const configuration = [
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  '.setup/buildList.ts',
  '.setup/buildMark.ts',
  '.setup/bundleHosts.ts',
  '.setup/compileAhead.ts',
  '.setup/modulesTogether.ts',
  '.setup/oneByte.ts',
  '.setup/plainBuiltins.ts',
];

/** What is built, and can be stale, by itself. */
export const parts: readonly Part[] = [
  {
    name: 'hosts',
    entries: Object.values(hostEntries),
    inputs: ['shared', 'electron', '.setup/launcher.mjs', ...configuration],
    outputs: ['cli.js', ...Object.keys(hostEntries).map((place) => `${place}.js`)],
  },
  {
    name: 'desktop',
    entries: desktopEntries,
    inputs: ['shared', 'electron', 'electron.vite.config.ts', ...configuration],
    outputs: ['main/main.js', 'preload/preload.cjs'],
  },
  {
    name: 'renderer',
    entries: [rendererEntry],
    inputs: ['shared', 'renderer', 'electron.vite.config.ts', ...configuration],
    outputs: ['renderer/index.html'],
  },
];
