import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Client, createClient } from '../../shared/contract/client.ts';
import { inMemoryPair } from '../../shared/contract/inMemoryPair.ts';
import { type Level, levels } from '../../shared/model/level.ts';
import { systemClock } from '../engine/base/clock.ts';
import { describeError, type Log } from '../engine/base/log.ts';
import { findPlaces } from '../engine/base/places.ts';
import { createSecretsFile } from '../engine/base/secretsFile.ts';
import { createEngine, type Engine } from '../engine/engine.ts';
import type { EnginePorts } from '../engine/ports.ts';
import { type Parsed, textFlag } from './flags.ts';
import type { Io } from './io.ts';
import { version } from './version.ts';

export interface Started {
  readonly engine: Engine;
  readonly client: Client;
  close(): Promise<void>;
}

/** The engine as the command line lends itself to it. `interactive`: whether a person can answer in this process. */
export function startEngine(parsed: Parsed, io: Io, interactive: boolean): Started {
  const engine = createEngine(portsOf(parsed, io, interactive));
  for (const problem of engine.problems) io.err(`vise: ${problem}\n`);
  const [near, far] = inMemoryPair();
  const served = engine.connect(far);
  return {
    engine,
    client: createClient(near),
    async close() {
      await engine.close();
      served.dispose();
    },
  };
}

export function portsOf(parsed: Parsed, io: Io, interactive: boolean): EnginePorts {
  const places = findPlaces(io.env);
  const log: Log = {
    warn: (what, error) => {
      if (io.env['VISE_DEBUG'])
        io.err(
          `vise: ${what}${error === undefined ? '' : `: ${error instanceof Error ? (error.stack ?? error.message) : describeError(error)}`}\n`,
        );
    },
  };
  const name = textFlag(parsed, 'provider');
  const model = textFlag(parsed, 'model');
  const script = textFlag(parsed, 'script');
  const baseUrl = textFlag(parsed, 'base-url');
  const rulesFile = textFlag(parsed, 'rules');
  const answer = textFlag(parsed, 'answer');
  return {
    version,
    places,
    resources: join(rootFolder(), 'resources'),
    clock: systemClock,
    log,
    env: io.env,
    platform: process.platform,
    secrets: createSecretsFile(places.config),
    ptyHost: join(rootFolder(), 'out', 'ptyHost.js'),
    interactive,
    allow: levelFlag(parsed),
    ...(parsed.flags['trust-workspace'] === true ? { trustWorkspace: true } : {}),
    provider: {
      ...(name === undefined ? {} : { name }),
      ...(model === undefined ? {} : { model }),
      ...(script === undefined ? {} : { script }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
    },
    ...(rulesFile === undefined ? {} : { rulesFile }),
    ...(answer === undefined ? {} : { answer }),
  };
}

function levelFlag(parsed: Parsed): Level {
  const given = textFlag(parsed, 'allow');
  return levels.find((level) => level === given) ?? 'none';
}

/** The folder of the installed program: where `resources/` lies, above the built file or the source. */
export function rootFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'resources', 'sampleScript.json')) && dirname(folder) !== folder)
    folder = dirname(folder);
  return folder;
}
