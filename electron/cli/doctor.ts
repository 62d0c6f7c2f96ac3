import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describeError } from '../engine/base/log.ts';
import { findPlaces } from '../engine/base/places.ts';
import { loadProviderFile } from '../engine/model/providerFile.ts';
import { resolveProvider } from '../engine/model/providerSettings.ts';
import { findDesktop } from './findDesktop.ts';
import type { Parsed } from './flags.ts';
import { createPaint, exitCodes, type Io } from './io.ts';
import { rootFolder } from './startEngine.ts';

interface Finding {
  readonly what: string;
  readonly state: 'works' | 'missing' | 'broken';
  readonly detail: string;
  readonly remedy?: string;
  /** Vise is of no use without it. */
  readonly needed: boolean;
}

/** `vise doctor`: what works on this machine and what does not, with the remedy. Asks no host and changes nothing. */
export async function runDoctor(parsed: Parsed, io: Io): Promise<number> {
  const findings = [
    node(),
    window(),
    await terminals(),
    await ripgrep(),
    await git(io),
    browser(io),
    sandbox(io),
    desktop(io),
    places(io),
    provider(io),
  ];
  if (parsed.flags['json'] === true) io.out(`${JSON.stringify(findings)}\n`);
  else {
    const paint = createPaint(io);
    const colours = { works: 'green', missing: 'yellow', broken: 'red' } as const;
    for (const { what, state, detail, remedy } of findings) {
      io.out(
        `${paint(colours[state], state.padEnd(8))} ${what.padEnd(16)} ${detail}${remedy === undefined ? '' : `\n${' '.repeat(26)}${remedy}`}\n`,
      );
    }
  }
  return findings.some(({ needed, state }) => needed && state !== 'works') ? exitCodes.failed : exitCodes.done;
}

function node(): Finding {
  const major = Number.parseInt(process.versions.node, 10);
  const what = 'Node';
  if (major >= 24) return { what, state: 'works', detail: process.versions.node, needed: true };
  return {
    what,
    state: 'broken',
    detail: `${process.versions.node} is too old`,
    remedy: 'Install Node 24 or later, or start Vise with npm.',
    needed: true,
  };
}

function window(): Finding {
  const what = 'window';
  const built = existsSync(join(rootFolder(), 'out', 'renderer', 'index.html'));
  return built
    ? { what, state: 'works', detail: 'built', needed: true }
    : { what, state: 'missing', detail: 'not built', remedy: 'Run "npm run build".', needed: true };
}

async function terminals(): Promise<Finding> {
  const what = 'terminals';
  try {
    await import('node-pty');
    return { what, state: 'works', detail: 'node-pty loads', needed: true };
  } catch (error) {
    return {
      what,
      state: 'broken',
      detail: describeError(error),
      remedy: 'Install python3, make and g++, then run "npm rebuild node-pty".',
      needed: true,
    };
  }
}

async function ripgrep(): Promise<Finding> {
  const what = 'text search';
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    accessSync(rgPath, constants.X_OK);
    return { what, state: 'works', detail: rgPath, needed: false };
  } catch {
    return {
      what,
      state: 'missing',
      detail: 'ripgrep is not installed; a slower search is used',
      remedy: 'Run "npm ci".',
      needed: false,
    };
  }
}

function git(io: Io): Promise<Finding> {
  const what = 'git';
  return new Promise((resolve) => {
    execFile('git', ['--version'], { env: { PATH: io.env['PATH'] ?? '' }, timeout: 5000 }, (error, stdout) => {
      if (error)
        resolve({
          what,
          state: 'missing',
          detail: 'not found',
          remedy: 'Install git to use the git tools.',
          needed: false,
        });
      else resolve({ what, state: 'works', detail: stdout.trim().replace('git version ', ''), needed: false });
    });
  });
}

const browserNames = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
];

function browser(io: Io): Finding {
  const what = 'browser';
  const folders = (io.env['PATH'] ?? '').split(delimiter);
  const found = browserNames
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  const path = found ?? (existsSync(mac) ? mac : undefined);
  if (path) return { what, state: 'works', detail: path, needed: false };
  return {
    what,
    state: 'missing',
    detail: 'no Chrome, Chromium or Edge',
    remedy:
      'Install one (Debian: apt-get install chromium) to use the browser tools and to see the window without Electron.',
    needed: false,
  };
}

function sandbox(io: Io): Finding {
  const what = 'command sandbox';
  if (process.platform === 'darwin') return { what, state: 'works', detail: 'sandbox-exec', needed: false };
  const found = (io.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'bwrap')));
  if (found) return { what, state: 'works', detail: 'bubblewrap', needed: false };
  return {
    what,
    state: 'missing',
    detail: 'commands cannot be confined',
    remedy: 'Install bubblewrap (Debian: apt-get install bubblewrap).',
    needed: false,
  };
}

function desktop(io: Io): Finding {
  const what = 'desktop window';
  const found = findDesktop(rootFolder(), io.env);
  if (found) return { what, state: 'works', detail: found.program, needed: false };
  return {
    what,
    state: 'missing',
    detail: 'no Electron or no display; the workbench opens in a browser instead',
    needed: false,
  };
}

function places(io: Io): Finding {
  const what = 'folders';
  const { config, state } = findPlaces(io.env);
  try {
    for (const folder of [config, state]) {
      accessSync(nearestFolder(folder), constants.R_OK | constants.W_OK | constants.X_OK);
    }
    return { what, state: 'works', detail: `${config} and ${state}`, needed: true };
  } catch (error) {
    return {
      what,
      state: 'broken',
      detail: describeError(error),
      remedy: 'Make the folder writable, or point VISE_HOME at another.',
      needed: true,
    };
  }
}

/** The folder itself, or the one in which it would be made; throws what the system says of a file in the way. */
function nearestFolder(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    const found = statSync(at, { throwIfNoEntry: false });
    if (found && !found.isDirectory()) throw new Error(`${at} is no folder`);
    if (found || dirname(at) === at) return at;
  }
}

function provider(io: Io): Finding {
  const what = 'model';
  const { file, warning } = loadProviderFile(join(findPlaces(io.env).config, 'config.json'));
  const resolved = resolveProvider(file, io.env, {});
  if (warning !== undefined || !resolved.ok) {
    return {
      what,
      state: 'broken',
      detail: warning ?? (resolved.ok ? '' : resolved.error.message),
      remedy: 'Mend the file, or run "vise config --provider …".',
      needed: false,
    };
  }
  const { name, model, baseUrl } = resolved.value;
  if (baseUrl === '' && resolved.value.kind !== 'scripted') {
    return {
      what,
      state: 'missing',
      detail: 'no model is configured',
      remedy: 'Run "vise config --provider P --api-key K --base-url U --model M", or try the sample project.',
      needed: false,
    };
  }
  return { what, state: 'works', detail: `${name}: ${model || '(no model named)'} (not asked)`, needed: false };
}
