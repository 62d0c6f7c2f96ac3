import { fail, ok, type Result } from '../../../../shared/result.ts';
import { binaryState } from './binaryState.ts';
import { matchGuarded } from './guardedRegex.ts';
import type { ProbeCache } from './probeCache.ts';
import type { ProgramOutcome, RunProgram } from './program.ts';
import type { FoundBinary } from './resolveBinary.ts';
import type { CliSpec } from './specTypes.ts';

/** What starting a binary takes. */
export interface ProbeParts {
  readonly run: RunProgram;
  /** For versions: both streams may come as one. Default: `run`. */
  readonly ask?: RunProgram;
  readonly cache: ProbeCache;
  /** The scrubbed environment of children. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly signal?: AbortSignal;
}

type Detection = CliSpec['versionDetection'];

const probeMs = 5_000;
const maxProbeBytes = 64 * 1024;
export const maxManifestBytes = 5 * 1024 * 1024;
const usualPattern = 'v?(\\d+\\.\\d+[.\\d+]*)';
const usualCommands: readonly Detection[] = ['--version', 'version', '-v', '-V'].map(versionBy);

/** A question for the version in the usual shape of an answer. */
export function versionBy(command: string): Detection {
  return { command, pattern: usualPattern };
}

/** The version that a binary told the last time it was asked, while it is the same. Starts nothing. */
export function knownVersion(
  binary: FoundBinary,
  detections: readonly Detection[],
  { cache, env }: Pick<ProbeParts, 'cache' | 'env'>,
): string | undefined {
  const key = probeKey('version', binary, detections, env);
  return key === undefined ? undefined : cache.get(key);
}

/**
 * Asks a binary for its version, as its specs say, then in the `usual` ways; only an answer with exit code 0 counts, since what
 * a failure prints may be any number. Errors: UNAVAILABLE, CANCELLED.
 */
export async function detectVersion(
  binary: FoundBinary,
  detections: readonly Detection[],
  parts: ProbeParts,
  usual: readonly Detection[] = usualCommands,
): Promise<Result<string>> {
  const key = probeKey('version', binary, detections, parts.env);
  const known = key === undefined ? undefined : parts.cache.get(key);
  if (known !== undefined) return ok(known);
  const tried = new Map<string, ProgramOutcome>();
  for (const { command, pattern } of [...detections, ...usual]) {
    const args = command.split(/\s+/).filter((word) => word !== '');
    const outcome =
      tried.get(args.join('\0')) ??
      (await start(binary, args, maxProbeBytes, { ...parts, run: parts.ask ?? parts.run }));
    tried.set(args.join('\0'), outcome);
    if (outcome.ended === 'cancelled') return fail('CANCELLED', 'Version detection was stopped');
    if (outcome.exitCode !== 0) continue;
    const text = `${outcome.stdout}\n${outcome.stderr}`;
    // Our own pattern cannot run away; the guard would take the first moments of a busy machine for that.
    const found = pattern === usualPattern ? new RegExp(pattern).exec(text) : matchGuarded(pattern, text);
    const version = found?.[1]?.trim();
    if (version) {
      if (key !== undefined) parts.cache.set(key, version);
      return ok(version);
    }
  }
  return fail('UNAVAILABLE', 'Version detection failed');
}

/** The text of `<binary> cli-bridge-manifest`. A failure is remembered until the binary changes. Errors: UNAVAILABLE, CANCELLED. */
export async function askManifest(binary: FoundBinary, parts: ProbeParts): Promise<Result<string>> {
  const key = probeKey('manifest', binary, [], parts.env);
  const known = key === undefined ? undefined : parts.cache.get(key);
  if (known !== undefined) return fail('UNAVAILABLE', known);
  const outcome = await start(binary, ['cli-bridge-manifest'], maxManifestBytes, parts);
  if (outcome.ended === 'cancelled') return fail('CANCELLED', 'The manifest request was stopped');
  const fault = manifestFault(outcome);
  if (fault === undefined) return ok(outcome.stdout);
  if (key !== undefined) parts.cache.set(key, fault);
  return fail('UNAVAILABLE', fault);
}

/** Remembers that a binary's manifest is of no use. */
export function rememberNoManifest(
  binary: FoundBinary,
  reason: string,
  { cache, env }: Pick<ProbeParts, 'cache' | 'env'>,
): void {
  const key = probeKey('manifest', binary, [], env);
  if (key !== undefined) cache.set(key, reason);
}

function manifestFault({ ended, exitCode, stdout, failure }: ProgramOutcome): string | undefined {
  switch (ended) {
    case 'timeout':
      return `no answer in ${probeMs / 1_000} s`;
    case 'overflow':
      return 'the manifest is larger than 5 MiB';
    case 'failed':
    case 'cancelled':
      return failure ?? 'it cannot be started';
    case 'exit':
      if (exitCode !== 0) return 'cli-bridge-manifest is not a command of it';
      return stdout.trim() === '' ? 'the manifest is empty' : undefined;
  }
}

/** A program that is being written (an installation, an update) cannot be started for that moment. */
const busyWaitsMs = [10, 50, 250, 1_000];

async function start(
  binary: FoundBinary,
  args: readonly string[],
  maxBytes: number,
  parts: ProbeParts,
): Promise<ProgramOutcome> {
  const { run, env, cwd, signal } = parts;
  const ask = (): Promise<ProgramOutcome> =>
    run({ file: binary.path, args, cwd, env, timeoutMs: probeMs, maxBytes, ...(signal ? { signal } : {}) });
  let outcome = await ask();
  for (const waitMs of busyWaitsMs) {
    if (outcome.ended !== 'failed' || !outcome.failure?.includes('ETXTBSY')) break;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    outcome = await ask();
  }
  return outcome;
}

/**
 * A binary counts as the same while its file is, and what it hands over to; undefined where that cannot be told. The facts as
 * they are: every start makes these keys, and a digest of them would load `node:crypto` before the first request (7 ms).
 */
function probeKey(
  what: string,
  binary: FoundBinary,
  detections: readonly Detection[],
  env: ProbeParts['env'],
): string | undefined {
  const state = binaryState(binary, env['PATH'] ?? env['Path']);
  if (state === undefined) return undefined;
  const asked = detections.map(({ command, pattern }) => [command, pattern]);
  return JSON.stringify([what, ...state, asked]);
}
