import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Client, createClient } from '../../../shared/contract/client.ts';
import { inMemoryPair } from '../../../shared/contract/inMemoryPair.ts';
import { levels } from '../../../shared/model/level.ts';
import { systemClock } from '../../engine/base/clock.ts';
import { disposable } from '../../engine/base/disposer.ts';
import { findKeychain } from '../../engine/base/keychain.ts';
import { describeError, type Log } from '../../engine/base/log.ts';
import { findPlaces } from '../../engine/base/places.ts';
import { createSecrets } from '../../engine/base/secrets.ts';
import { superviseProcess } from '../../engine/base/supervise.ts';
import { createEngine, type Engine } from '../../engine/engine.ts';
import { readRules } from '../../engine/permission/rules/rulesFile.ts';
import type { EnginePorts } from '../../engine/ports.ts';
import { keepsTasks } from './background.ts';
import { type Io, refuse } from './io.ts';
import { type Parsed, textFlag } from './parseFlags.ts';
import { version } from './version.ts';

export interface Started {
  readonly engine: Engine;
  readonly client: Client;
  close(options?: { readonly keepTasks?: boolean | undefined }): Promise<void>;
}

/** `interactive`: whether a person can answer in this process. */
export function startEngine(parsed: Parsed, io: Io, interactive: boolean): Started {
  const engine = createEngine(portsOf(parsed, io, interactive));
  for (const problem of engine.problems) io.err(`vise: ${problem}\n`);
  engine.cleanInBackground();
  const [near, far] = inMemoryPair();
  const served = engine.connect(far);
  return {
    engine,
    client: createClient(near),
    async close(options) {
      await engine.close(options);
      served.dispose();
    },
  };
}

/**
 * Runs a command over an engine of its own, which ends with it. A rules file that cannot be read is refused at once: the
 * engine would ask about everything, which is no help for a person who has just named it.
 */
export async function withEngine(
  command: string,
  parsed: Parsed,
  io: Io,
  run: (started: Started) => Promise<number>,
  interactive = false,
): Promise<number> {
  const wrong = checkRules(textFlag(parsed, 'rules')) ?? checkCost(textFlag(parsed, 'max-cost'));
  if (wrong !== undefined) return refuse(io, command, wrong);
  const script = textFlag(parsed, 'script');
  if (script !== undefined) {
    const { loadScript } = await import('../../engine/model/scripted.ts');
    const loaded = await loadScript(script);
    if (!loaded.ok) return refuse(io, command, `--script: ${loaded.error.message}`);
  }
  // Those that serve others go on; a command that runs for itself ends with its fault.
  const serves = interactive || command === 'mcp';
  const watch = serves
    ? superviseProcess((what, error) => io.err(`vise: ${what}: ${describeError(error)}\n`))
    : disposable(() => undefined);
  const started = startEngine(parsed, io, interactive);
  try {
    return await run(started);
  } finally {
    await started.close({ keepTasks: keepsTasks(parsed) });
    watch.dispose();
  }
}

function checkCost(given: string | undefined): string | undefined {
  return given === undefined || Number(given) > 0 ? undefined : `--max-cost takes US dollars, not "${given}".`;
}

function checkRules(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  if (!existsSync(path)) return `--rules ${path}: there is no such file.`;
  const read = readRules(path, 'session');
  return read.ok ? undefined : read.error.message;
}

function portsOf(parsed: Parsed, io: Io, interactive: boolean): EnginePorts {
  const places = findPlaces(io.env);
  const log: Log = {
    warn(what, error) {
      if (!io.env['VISE_DEBUG']) return;
      const detail = error instanceof Error ? (error.stack ?? error.message) : describeError(error);
      io.err(`vise: ${what}${error === undefined ? '' : `: ${detail}`}\n`);
    },
  };
  const maxCost = textFlag(parsed, 'max-cost');
  return {
    version,
    places,
    resources: join(rootFolder(), 'resources'),
    clock: systemClock,
    log,
    env: io.env,
    platform: process.platform,
    secrets: createSecrets(places.config, findKeychain(places.config, io.env)),
    notify: (text) => io.err(`vise: ${text}\n`),
    ptyHost: join(rootFolder(), 'out', 'ptyHost.js'),
    interactive,
    allow: levels.find((level) => level === textFlag(parsed, 'allow')) ?? 'none',
    trustWorkspace: parsed.flags['trust-workspace'] === true,
    provider: {
      name: textFlag(parsed, 'provider'),
      model: textFlag(parsed, 'model'),
      script: textFlag(parsed, 'script'),
      baseUrl: textFlag(parsed, 'base-url'),
      dialect: textFlag(parsed, 'dialect'),
      effort: textFlag(parsed, 'effort'),
    },
    maxCost: maxCost === undefined ? undefined : Number(maxCost),
    rulesFile: textFlag(parsed, 'rules'),
    answer: textFlag(parsed, 'answer'),
  };
}

/** The folder of the installed program: where `resources/` lies, above the built file or the source. */
export function rootFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'resources', 'sampleScript.json')) && dirname(folder) !== folder)
    folder = dirname(folder);
  return folder;
}
