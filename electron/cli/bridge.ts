import { readFile } from 'node:fs/promises';
import type { Failure } from '../../shared/result.ts';
import { parseJson } from '../engine/base/boundedJson.ts';
import { isoTime, systemClock } from '../engine/base/clock.ts';
import { findPlaces } from '../engine/base/places.ts';
import type { LoadedSpecs } from '../engine/bridge/cliSpec/loadSpecs.ts';
import type { Proposal } from '../engine/bridge/cliSpec/scrape/register.ts';
import type { ServerView } from '../engine/bridge/mcp/client.ts';
import { exitCodes, type Io, interruptible, refuse } from './base/io.ts';
import { type Parsed, projectOf, textFlag } from './base/parseFlags.ts';
import { readAll } from './base/pipedInput.ts';
import { withEngine } from './base/startEngine.ts';

const usage = 'vise bridge list | validate FILE | register BINARY | refresh';

/** `vise bridge …`: the programs that specs turn into tools, and the MCP servers in use. */
export async function runBridge(parsed: Parsed, io: Io): Promise<number> {
  const [verb, subject, ...more] = parsed.words;
  if (more.length > 0) return wrong(io, usage);
  switch (verb) {
    case 'list':
    case 'refresh':
      return subject === undefined ? list(parsed, io, verb === 'refresh') : wrong(io, usage);
    case 'validate':
      if (subject === undefined && io.stdinIsTty) return wrong(io, 'name a file, or "-" for standard input');
      return validate(subject ?? '-', io);
    case 'register':
      return register(subject, parsed, io);
    default:
      return wrong(io, usage);
  }
}

function wrong(io: Io, what: string): number {
  return refuse(io, 'bridge', what);
}

function list(parsed: Parsed, io: Io, anew: boolean): Promise<number> {
  return withEngine('bridge', parsed, io, async ({ engine }) => {
    const project = await engine.project(projectOf(parsed, io));
    if (!project.ok) return wrong(io, project.error.message);
    const { bridge } = project.value;
    const specs = await bridge.specs(anew);
    await bridge.servers.load();
    const servers = bridge.servers.views;
    io.out(parsed.flags['json'] === true ? `${JSON.stringify(described(specs, servers))}\n` : table(specs, servers));
    return exitCodes.done;
  });
}

function described({ specs, errors, untrusted, notes }: LoadedSpecs, servers: readonly ServerView[]): object {
  return {
    specs: specs.map(({ spec, ...loaded }) => ({
      name: spec.name,
      binary: loaded.resolvedBinaryPath,
      installedVersion: loaded.installedVersion,
      exactVersionMatch: loaded.exactVersionMatch,
      source: loaded.source,
      path: loaded.path,
      commands: spec.commands.map(({ name }) => name),
      warnings: loaded.warnings,
    })),
    errors,
    untrusted,
    notes,
    servers: servers.map(({ entry, state, tools }) => ({
      name: entry.name,
      origin: entry.origin,
      state: state.kind,
      reason: 'reason' in state ? state.reason : undefined,
      tools,
    })),
  };
}

function table({ specs, errors, untrusted, notes }: LoadedSpecs, servers: readonly ServerView[]): string {
  const lines = [
    ...specs.map(
      ({ spec, installedVersion, source, path }) =>
        `${spec.name} ${installedVersion} (${source}): ${spec.commands.map(({ name }) => name).join(', ')}\n  ${path}`,
    ),
    ...untrusted.map(({ tool, path }) => `${tool}: waits for trust in this project (--trust-workspace)\n  ${path}`),
    ...errors.map(({ specPath, message }) => `not loaded: ${message}\n  ${specPath}`),
    ...servers.map(
      ({ entry, state, tools }) =>
        `MCP ${entry.name} (${entry.origin}): ${state.kind}, ${tools.length} tools${whyOf(state)}`,
    ),
    ...notes,
  ];
  return `${lines.join('\n')}\n`;
}

function whyOf(state: ServerView['state']): string {
  if (state.kind === 'untrusted') return '\n  waits for trust in this project (--trust-workspace)';
  if (state.kind === 'off') return '\n  switched off in the window (setting bridge.off)';
  const reason = 'reason' in state ? state.reason : undefined;
  if (state.kind === 'signedOut')
    return `\n  ${reason ?? 'wants you to sign in: Settings › MCP servers in the window'}`;
  return reason === undefined ? '' : `\n  ${reason}`;
}

async function validate(file: string, io: Io): Promise<number> {
  const text =
    file === '-' ? await readAll(io, 'bridge', 'the text') : await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return wrong(io, `${file} cannot be read`);
  const { validateSpec } = await import('../engine/bridge/cliSpec/validateSpec.ts');
  const parsed = parseJson(text);
  const check = parsed.ok ? validateSpec(parsed.value) : undefined;
  const errors =
    check === undefined
      ? [{ path: '', message: parsed.ok ? '' : `not valid JSON: ${parsed.message}` }]
      : check.ok
        ? []
        : check.errors;
  io.out(`${JSON.stringify({ ok: errors.length === 0, errors, warnings: check?.warnings })}\n`);
  return errors.length === 0 ? exitCodes.done : exitCodes.usage;
}

async function register(binary: string | undefined, parsed: Parsed, io: Io): Promise<number> {
  const file = textFlag(parsed, 'from-file');
  if (file !== undefined) return registerFile(file, binary ?? textFlag(parsed, 'name'), parsed, io);
  if (binary === undefined) return wrong(io, 'name a program: vise bridge register jq');
  if (parsed.flags['by-model'] === true) return registerByModel(binary, parsed, io);
  return withEngine('bridge', parsed, io, async ({ engine }) => {
    const [{ registerBinary }, { runProgram }, { searchPath }] = await Promise.all([
      import('../engine/bridge/cliSpec/scrape/register.ts'),
      import('../engine/bridge/cliSpec/program.ts'),
      import('../engine/bridge/cliSpec/resolveBinary.ts'),
    ]);
    const project = await engine.project(io.cwd);
    if (!project.ok) return wrong(io, project.error.message);
    const env = project.value.bridge.environment();
    const { flags } = parsed;
    const made = await interruptible(io, async (signal) => {
      const registered = await registerBinary(
        binary,
        {
          run: runProgram,
          env,
          search: searchPath(env),
          userFolder: findPlaces(io.env).specs,
          now: () => isoTime(systemClock),
          signal,
        },
        {
          dryRun: flags['dry-run'] === true,
          force: flags['force'] === true,
          deep: deepOf(parsed),
          review:
            io.stdinIsTty && io.stdoutIsTty && flags['yes'] !== true ? (proposal) => review(proposal, io) : undefined,
        },
      );
      return signal.aborted ? undefined : registered;
    });
    if (made === undefined) return exitCodes.interrupted;
    if (!made.ok) return failed(made.error, io);
    const { spec, text, path, kind } = made.value;
    const names = spec.commands.map(({ name }) => name);
    if (path === undefined) io.out(text);
    else if (flags['json'] === true) io.out(`${JSON.stringify({ path, kind, commands: names })}\n`);
    else {
      const source = kind === 'heuristic' ? 'read from its help: review it before you rely on it' : 'in its own words';
      io.out(`${path}\n${spec.name}, ${source}: ${names.join(', ')}\n`);
    }
    return exitCodes.done;
  });
}

/** Commands of a program that are named before the question; the rest is a number. */
const shownCommands = 30;
/** Letters of what a command does, and of the names of its flags, in a line of theirs. */
const shownChars = 48;

function deepOf({ flags }: Parsed): boolean | undefined {
  return flags['deep'] === true ? true : flags['no-deep'] === true ? false : undefined;
}

function failed({ code, message }: Failure, io: Io): number {
  const isUsage = code === 'COMMAND_NOT_FOUND' || code === 'FILE_EXISTS';
  // CANCELLED: the person's own no.
  const exit = code === 'CANCELLED' ? exitCodes.done : isUsage ? exitCodes.usage : exitCodes.failed;
  return refuse(io, 'bridge', message, exit);
}

/** What a model wrote is shown before it is written; without a terminal that takes `--yes`. */
async function registerByModel(binary: string, parsed: Parsed, io: Io): Promise<number> {
  const { flags } = parsed;
  const isSeen = io.stdinIsTty && io.stdoutIsTty;
  const isDry = flags['dry-run'] === true;
  if (!isDry && !isSeen && flags['yes'] !== true)
    return wrong(io, 'what a model writes is looked over first: --dry-run prints it, --yes writes it unseen');
  return withEngine('bridge', parsed, io, async ({ client }) => {
    const project = io.cwd;
    const asked = { project, binary, deep: deepOf(parsed), byModel: true, helpOnly: isDry };
    const proposed = await interruptible(io, async (signal) => {
      const answer = await client.call('spec.propose', asked);
      return signal.aborted ? undefined : answer;
    });
    if (proposed === undefined) return exitCodes.interrupted;
    if (!proposed.ok) return failed(proposed.error, io);
    const { text, name, version, kind, exists, path } = proposed.value;
    if (isDry) io.out(text);
    if (isDry) return exitCodes.done;
    const replace = flags['force'] === true;
    if (exists && !replace) return wrong(io, `${path} exists already; --force replaces it`);
    const { readSpec } = await import('../engine/bridge/cliSpec/readSpec.ts');
    const read = readSpec(text, name);
    if (!read.ok) return failed(read.error, io);
    if (flags['yes'] !== true && !(await review({ spec: read.value.spec, text, version, kind }, io)))
      return refuse(io, 'bridge', 'Nothing was written.', exitCodes.done);
    const kept = await client.call('spec.register', { project, text, version, replace });
    if (!kept.ok) return failed(kept.error, io);
    io.out(`${kept.value.path}\n${kept.value.tools.join(', ')}\n`);
    return exitCodes.done;
  });
}

/**
 * What was made of a help is read, not known: on a terminal its commands and flags are shown before it is written. Both go to
 * standard error, beside what `--json` prints.
 */
async function review({ spec, version }: Proposal, io: Io): Promise<boolean> {
  const { columns } = await import('./terminal/columns.ts');
  const cut = (text: string): string => (text.length > shownChars ? `${text.slice(0, shownChars - 1)}…` : text);
  const rows = spec.commands.slice(0, shownCommands).map(({ name, description, flags = [] }) => {
    const names = flags.map((flag) => `--${flag.name}`).join(' ');
    return [`  ${name}`, cut(description), cut(names)];
  });
  const more = spec.commands.length - rows.length;
  const total = `${spec.commands.length} ${spec.commands.length === 1 ? 'command' : 'commands'}`;
  io.err(`${spec.name} ${version}: ${total}, read from its help, which may be misread.\n\n`);
  io.err(columns(['  command', 'does', 'flags'], rows));
  if (more > 0) io.err(`  … and ${more} more\n`);
  io.err('\nThe whole spec: vise bridge register --dry-run. Write it? [y/N] ');
  for await (const line of io.stdinLines()) return 'text' in line && /^y(?:es)?$/i.test(line.text.trim());
  return false;
}

/** From a help text in a file; nothing is started and nothing is written. */
async function registerFile(file: string, name: string | undefined, parsed: Parsed, io: Io): Promise<number> {
  const version = textFlag(parsed, 'version');
  if (name === undefined || version === undefined) return wrong(io, '--from-file needs --name N and --version V');
  const text =
    file === '-' ? await readAll(io, 'bridge', 'the text') : await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return wrong(io, `${file} cannot be read`);
  const { specFromHelp } = await import('../engine/bridge/cliSpec/scrape/register.ts');
  const made = specFromHelp(text, name, version);
  if (!made.ok) return wrong(io, `${made.error.message}: ${JSON.stringify(made.error.details)}`);
  io.out(`${JSON.stringify(made.value, undefined, 2)}\n`);
  return exitCodes.done;
}
