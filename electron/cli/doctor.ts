import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { usageText } from '../../shared/text/amounts.ts';
import { visible } from '../../shared/text/visible.ts';
import { describeError } from '../engine/base/log.ts';
import { findPlaces } from '../engine/base/places.ts';
import { sandboxCommand } from '../engine/exec/sandbox/sandboxCommand.ts';
import { noModelRemedy } from '../engine/model/base/causes.ts';
import { loadProviderFile } from '../engine/model/providerFile.ts';
import { resolveProvider } from '../engine/model/providerSettings.ts';
import { parseAddress } from '../engine/model/wire/address.ts';
import { openUserConfig } from '../engine/openProject/userConfig.ts';
import { projectHooks, readHooks } from '../engine/project/hookSettings.ts';
import { abandonedRecords } from '../engine/workspace/applyRecord.ts';
import { findDesktop } from './base/findDesktop.ts';
import { createPaint, exitCodes, type Io } from './base/io.ts';
import type { Parsed } from './base/parseFlags.ts';
import { rootFolder, startEngine } from './base/startEngine.ts';
import { wrapWords } from './base/termList.ts';

interface Finding {
  readonly what: string;
  readonly state: 'works' | 'missing' | 'broken';
  readonly detail: string;
  readonly remedy?: string;
  /** Vise is of no use without it. */
  readonly needed: boolean;
}

type Look = Omit<Finding, 'what' | 'needed'>;

const works = (detail: string): Look => ({ state: 'works', detail });
const missing = (detail: string, remedy?: string): Look => ({ state: 'missing', detail, remedy });
const broken = (detail: string, remedy: string): Look => ({ state: 'broken', detail, remedy });

const shownFiles = 5;
/** Where details begin. */
const indent = 26;

/** What is looked at, in the order in which it is told. */
const looks: readonly (readonly [what: string, needed: boolean, look: (io: Io) => Look | Promise<Look>])[] = [
  ['Node', true, node],
  ['window', true, window],
  ['terminals', true, terminals],
  ['text search', false, ripgrep],
  ['git', false, git],
  ['browser', false, browser],
  ['command sandbox', false, sandbox],
  ['desktop window', false, desktop],
  ['folders', true, places],
  ['cut-off writes', false, cutOff],
  ['hooks', false, hooks],
  ['model', false, provider],
];

/** `vise doctor`: what works on this machine and what does not, with the remedy. Asks no host without `--ask`. */
export async function runDoctor(parsed: Parsed, io: Io): Promise<number> {
  const findings: readonly Finding[] = await Promise.all(
    looks.map(async ([what, needed, look]) => {
      const found = await look(io);
      const isAsked = what === 'model' && found.state === 'works' && parsed.flags['ask'] === true;
      return { what, ...(isAsked ? await asked(parsed, io) : found), needed };
    }),
  );
  if (parsed.flags['json'] === true) io.out(`${JSON.stringify(findings)}\n`);
  else {
    const paint = createPaint(io);
    const colours = { works: 'green', missing: 'yellow', broken: 'red' } as const;
    const room = io.stdoutIsTty
      ? Math.max(30, (io.screen?.columns() ?? Number.POSITIVE_INFINITY) - indent)
      : Number.POSITIVE_INFINITY;
    for (const { what, state, detail, remedy } of findings) {
      const said = [...detail.split('\n'), ...(remedy ?? '').split('\n')].filter((line) => line !== '');
      const lines = said.flatMap((line) => wrapWords(line.trimStart(), room)).join(`\n${' '.repeat(indent)}`);
      io.out(`${paint(colours[state], state.padEnd(8))} ${what.padEnd(16)} ${lines}\n`);
    }
  }
  return findings.some(({ needed, state }) => needed && state !== 'works') ? exitCodes.failed : exitCodes.done;
}

/** Those of the person and of the folder that it is asked in; nothing is run. */
function hooks(io: Io): Look {
  const own = readHooks(openUserConfig(findPlaces(io.env).config).raw['hooks'], 'user', 'config.json');
  const files = projectHooks(io.cwd);
  const faults = [own, ...files].flatMap((read) => read.faults);
  const theirs = files.flatMap((file) => file.hooks);
  const told = [
    `${own.hooks.length} of yours`,
    ...(theirs.length > 0 ? [`${theirs.length} of this folder, which count while you trust it as it is`] : []),
    ...[...own.hooks, ...theirs]
      .slice(0, shownFiles)
      .map(({ event, command }) => `${event}: ${visible(command).text.slice(0, 60)}`),
  ];
  const detail = told.join('\n');
  return faults.length > 0
    ? broken(faults.map((fault) => visible(fault).text).join('\n'), 'Mend the file (docs/instructions.md).')
    : works(detail);
}

function node(): Look {
  const { node: found } = process.versions;
  if (Number.parseInt(found, 10) >= 24) return works(found);
  return broken(`${found} is too old`, 'Install Node 24 or later, or start Vise with npm.');
}

function window(): Look {
  const isBuilt = existsSync(join(rootFolder(), 'out', 'renderer', 'index.html'));
  return isBuilt ? works('built') : missing('not built', 'Run "npm run build".');
}

async function terminals(): Promise<Look> {
  try {
    await import('node-pty');
    return works('node-pty loads');
  } catch (error) {
    return broken(describeError(error), 'Install python3, make and g++, then run "npm rebuild node-pty".');
  }
}

async function ripgrep(): Promise<Look> {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    accessSync(rgPath, constants.X_OK);
    return works(rgPath);
  } catch {
    return missing('ripgrep is not installed; a slower search is used', 'Run "npm ci".');
  }
}

function git(io: Io): Promise<Look> {
  return new Promise((resolve) => {
    execFile('git', ['--version'], { env: { PATH: io.env['PATH'] ?? '' }, timeout: 5000 }, (error, stdout) =>
      resolve(
        error
          ? missing('not found', 'Install git to use the git tools.')
          : works(stdout.trim().replace('git version ', '')),
      ),
    );
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

function inPath(io: Io, names: readonly string[]): string | undefined {
  const folders = (io.env['PATH'] ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

function browser(io: Io): Look {
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  const path = inPath(io, browserNames) ?? (existsSync(mac) ? mac : undefined);
  if (path) return works(path);
  return missing(
    'no Chrome, Chromium or Edge',
    'Install one (Debian: apt-get install chromium) to use the browser tools and to see the window without Electron.',
  );
}

/** Tried, not only looked for: a kernel or a container may forbid what it needs. */
async function sandbox(io: Io): Promise<Look> {
  const { settings } = openUserConfig(findPlaces(io.env).config);
  const asked = settings.sandbox.commands ? 'on' : 'off: switch it on in the settings (sandbox.commands)';
  const policy = { project: io.cwd, cwd: io.cwd, writable: false, network: false, home: io.env['HOME'] };
  const start = sandboxCommand('/bin/sh', ['-c', 'exit 0'], policy);
  if (!start.ok) {
    const { message } = start.error;
    return missing(`commands cannot be confined: ${message}`, 'Linux: apt-get install bubblewrap. Windows has none.');
  }
  const problem = await new Promise<string | undefined>((resolve) => {
    const { file, args } = start.value;
    execFile(file, [...args], { cwd: io.cwd, timeout: 5_000 }, (error, _, stderr) =>
      resolve(error ? stderr.trim() || error.message : undefined),
    );
  });
  const name = process.platform === 'darwin' ? 'sandbox-exec' : 'bubblewrap';
  if (problem !== undefined)
    return broken(`${name} does not work here: ${problem}`, 'With the sandbox switched on, no command would run.');
  const holds = 'writes only the project, no network but what you list, no keys of the home folder';
  const more = process.platform === 'linux' ? ', no capabilities, no sockets of this machine' : '';
  return works(`${name} (tried): ${holds}${more}; ${asked}`);
}

function desktop(io: Io): Look {
  const found = findDesktop(rootFolder(), io.env);
  return found ? works(found.program) : missing('no Electron or no display; the workbench opens in a browser instead');
}

function places(io: Io): Look {
  const { config, state } = findPlaces(io.env);
  try {
    for (const folder of [config, state])
      accessSync(nearestFolder(folder), constants.R_OK | constants.W_OK | constants.X_OK);
    return works(`${config} and ${state}`);
  } catch (error) {
    return broken(describeError(error), 'Make the folder writable, or point VISE_HOME at another.');
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

function cutOff(io: Io): Look {
  const records = abandonedRecords(join(findPlaces(io.env).state, 'applies'));
  if (records.length === 0) return works('none');
  const files = records.flatMap((record) => record.files.map(({ real }) => real));
  const named = files.slice(0, shownFiles).join(', ') + (files.length > shownFiles ? ' …' : '');
  return broken(
    `Vise ended while it wrote ${files.length} files: ${named}`,
    'Open their project (any command with --project does): they are finished or taken back, and you are told.',
  );
}

function provider(io: Io): Look {
  const { file, warning } = loadProviderFile(join(findPlaces(io.env).config, 'config.json'));
  const resolved = resolveProvider(file, io.env, {});
  if (warning !== undefined)
    return broken(warning, 'Mend the file, or put it aside and run "vise config --init-template".');
  const set = Object.keys(io.env).filter((key) => /^LLM_(?:PROVIDER|BASE_URL|DIALECT)$/.test(key) && io.env[key]);
  const choose = 'Choose another: "vise config --provider ollama --model NAME".';
  // The environment wins over what is chosen.
  const mend = set.length > 0 ? `Mend or unset ${set.join(' and ')}.` : choose;
  if (!resolved.ok) return broken(resolved.error.message, mend);
  const { name, kind, model, baseUrl } = resolved.value;
  if (kind === 'scripted') return works(`${name} (not asked)`);
  if (baseUrl === '') return missing('no model is configured', noModelRemedy);
  const address = parseAddress(baseUrl);
  if (!address.ok) return broken(address.error.message, mend);
  if (model === '')
    return missing(
      `${name}: no model is named`,
      `"vise config --provider ${name} --models" tells what is known, "vise config --provider ${name} --model NAME" sets it.`,
    );
  return works(`${name}: ${model} (not asked)`);
}

/** The provider in use is asked for its models and for one word. */
async function asked(parsed: Parsed, io: Io): Promise<Look> {
  const { client, close } = startEngine(parsed, io, false);
  try {
    const asked = await client.call('session.model', {});
    if (!asked.ok) return broken(asked.error.message, 'Mend the configuration: "vise config --help".');
    const { provider: name, name: model } = asked.value.model;
    const tried = await client.call('provider.test', { name });
    const problem = tried.ok ? tried.value.problem : tried.error;
    if (problem) return broken(`${name}: ${problem.message}`, 'See above; then run "vise doctor --ask" again.');
    if (!tried.ok || tried.value.answer === null)
      return missing(`${name}: no model is named`, `Name one: "vise config --provider ${name} --model NAME".`);
    const { answer, elapsedMs, models, usage } = tried.value;
    return works(
      `${name}: ${model} answered "${answer}" after ${elapsedMs} ms (${usageText(usage)}); ${models.length} listed by its server`,
    );
  } finally {
    await close();
  }
}
