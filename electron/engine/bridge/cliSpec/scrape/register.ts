import { existsSync, mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fail, ok, type Result } from '../../../../../shared/result.ts';
import { writeFileAtomic } from '../../../base/atomicFile.ts';
import { describeError } from '../../../base/log.ts';
import { askManifest, detectVersion, type ProbeParts, versionBy } from '../probe.ts';
import { memoryProbeCache } from '../probeCache.ts';
import { isSafeVersion } from '../programVersion.ts';
import { readSpec } from '../readSpec.ts';
import { type FoundBinary, resolveBinary, type SearchPath } from '../resolveBinary.ts';
import type { CliSpec } from '../specTypes.ts';
import { validateSpec } from '../validateSpec.ts';
import { askCommands, askHelp } from './askHelp.ts';
import { type AskModel, writeByModel } from './modelSpec.ts';
import { scrapeHelp } from './scrapeHelp.ts';

export interface RegisterParts extends Omit<ProbeParts, 'cache' | 'cwd'> {
  readonly search: SearchPath;
  /** The user's folder of specs. */
  readonly userFolder: string;
  /** ISO time. */
  now(): string;
  /** A model that is to write the spec from the help texts, for review. */
  readonly askModel?: AskModel;
}

export interface RegisterOptions {
  /** Replace a spec of the same name and version. */
  readonly force?: boolean;
  /** Make the spec, write nothing, and run nothing but `--help` and `--version`. */
  readonly dryRun?: boolean;
  /** Ask each command for its help; by itself up to 100 commands are asked. */
  readonly deep?: boolean;
  /** Shown what was read from a help before it is written; a no writes nothing (CANCELLED). */
  readonly review?: (proposal: Proposal) => Promise<boolean>;
}

export interface Registered {
  readonly spec: CliSpec;
  /** What lies on disk, or would: the binary's own text, or the spec that was made from its help. */
  readonly text: string;
  /** Undefined for a dry run. */
  readonly path?: string;
  /** `canonical`: the binary describes itself. To be reviewed: `heuristic` is read from its help, `model` written from it. */
  readonly kind: 'canonical' | 'heuristic' | 'model';
}

export interface Proposal extends Omit<Registered, 'path'> {
  /** Of the program; `unknown` where it does not tell, or tells none that may be a file's name. */
  readonly version: string;
}

/** What file systems hold of a name. */
const maxNameChars = 255;

/**
 * Makes a spec of a program: its own manifest, else its help. Errors: COMMAND_NOT_FOUND, UNAVAILABLE (no version, no
 * help), CONFIG_INVALID, FILE_EXISTS, FILE_WRITE_ERROR, CANCELLED.
 */
export async function registerBinary(
  program: string,
  parts: RegisterParts,
  options: RegisterOptions = {},
): Promise<Result<Registered>> {
  const proposed = await proposeSpec(program, parts, options);
  if (!proposed.ok || options.dryRun === true) return proposed;
  const { spec, text, version, kind } = proposed.value;
  if (kind !== 'canonical' && options.review && !(await options.review(proposed.value)))
    return fail('CANCELLED', 'Nothing was written.');
  const path = keepSpec(text, spec.name, version, parts.userFolder, options.force === true);
  return path.ok ? ok({ spec, text, kind, path: path.value }) : path;
}

/**
 * Makes a spec of a program for review; writes nothing. The program is started in an empty folder, and asked for its help before
 * anything else. Errors: those of `registerBinary` but the writing ones.
 */
export async function proposeSpec(
  program: string,
  parts: RegisterParts,
  options: Pick<RegisterOptions, 'deep' | 'dryRun'> = {},
): Promise<Result<Proposal>> {
  const binary = resolveBinary(program, parts.search);
  if (!binary.ok) return binary;
  const name = basename(program).replace(/\.(?:exe|cmd|bat|com)$/i, '');
  const cwd = await mkdtemp(join(tmpdir(), 'vise-ask-'));
  try {
    return await askProgram(binary.value, name, { ...parts, cwd, cache: memoryProbeCache() }, parts, options);
  } finally {
    await rm(cwd, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}

async function askProgram(
  binary: FoundBinary,
  name: string,
  probe: ProbeParts,
  parts: RegisterParts,
  { deep, dryRun: careful }: Pick<RegisterOptions, 'deep' | 'dryRun'>,
): Promise<Result<Proposal>> {
  const text = await askHelp(binary, name, probe, { careful });
  const told = await askVersion(binary, probe, ['--version', ...(careful ? [] : otherWays(text))]);
  if (!told.ok) return told;
  const { version: installed, detection: versionDetection } = told.value;
  const registration = { resolvedPath: binary.path, registeredAt: parts.now() };
  const own = careful ? undefined : await canonical(binary, name, probe);
  if (own !== undefined) {
    const spec: CliSpec = { ...own, registration };
    return ok({ spec, text: `${JSON.stringify(spec, null, 2)}\n`, kind: 'canonical', version: installed });
  }
  if (text === undefined)
    return fail('UNAVAILABLE', `${name} gives no help: ${careful ? '--help was' : '--help, help and -h were'} tried`);
  const helps = await askCommands(binary, name, text, probe, { deep, careful });
  const helpOutput = text.slice(0, 2_000);
  const scraped = scrapeHelp({ ...helps, name, version: installed, binary: name });
  const read: CliSpec = { ...scraped, versionDetection, registration: { ...registration, helpOutput } };
  const check = validateSpec(read, true);
  if (!check.ok) return fail('CONFIG_INVALID', `No valid spec can be made of the help of ${name}`, check.errors);
  const written = parts.askModel === undefined ? check : await writeByModel(check.spec, helps, parts.askModel);
  if (!written.ok) return written;
  const spec = 'value' in written ? written.value : written.spec;
  const kind = parts.askModel === undefined ? 'heuristic' : 'model';
  return ok({ spec, text: `${JSON.stringify(spec, null, 2)}\n`, kind, version: installed });
}

/** The version, and the question that brought it; `unknown` where none did. Errors: CANCELLED. */
async function askVersion(
  binary: FoundBinary,
  probe: ProbeParts,
  ways: readonly string[],
): Promise<Result<{ readonly version: string; readonly detection: CliSpec['versionDetection'] }>> {
  for (const detection of ways.map(versionBy)) {
    const version = await detectVersion(binary, [detection], probe, []);
    if (!version.ok && version.error.code === 'CANCELLED') return version;
    if (version.ok && isSafeVersion(version.value)) return ok({ version: version.value, detection });
  }
  return ok({ version: 'unknown', detection: versionBy('--version') });
}

/** Further questions for a version that a help tells of; where there is none, those that are usual. */
function otherWays(help: string | undefined): readonly string[] {
  if (help === undefined) return ['version', '-v', '-V'];
  const told = (word: string): boolean => new RegExp(`^\\s*(?:--version[,|\\s]+)?${word}\\b.*version`, 'im').test(help);
  // A client tells its own version where its server is not to be reached.
  return ['version', 'version --client', '-v', '-V'].filter((way) => told(way.split(' ')[0] ?? way));
}

/** Where the user's spec of a version lies. */
export function specPath(folder: string, name: string, version: string): string {
  return join(folder, name, `${isSafeVersion(version) ? version : 'unknown'}.json`);
}

/** Writes a spec's text to the user's folder; gives the path. Errors: FILE_EXISTS, FILE_WRITE_ERROR. */
export function keepSpec(
  text: string,
  name: string,
  version: string,
  folder: string,
  replace: boolean,
): Result<string> {
  const path = specPath(folder, name, version);
  if (!replace && existsSync(path)) return fail('FILE_EXISTS', `${path} exists already; --force replaces it`);
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileAtomic(path, text, { mode: 0o644 });
    return ok(path);
  } catch (error) {
    return fail('FILE_WRITE_ERROR', `${path} cannot be written: ${describeError(error)}`);
  }
}

/** A spec from a help text in a file; nothing is started. Errors: CONFIG_INVALID. */
export function specFromHelp(text: string, name: string, version: string): Result<CliSpec> {
  // Such a name is no program's, and patterns are made of it.
  if (name.length > maxNameChars)
    return fail('CONFIG_INVALID', `A program's name has at most ${maxNameChars} characters`);
  const spec = scrapeHelp({ text, name, version });
  const check = validateSpec(spec, true);
  return check.ok ? ok(check.spec) : fail('CONFIG_INVALID', 'No valid spec can be made of this help', check.errors);
}

/** What a program says of itself; undefined where it says nothing of use. */
async function canonical(binary: FoundBinary, name: string, probe: ProbeParts): Promise<CliSpec | undefined> {
  const manifest = await askManifest(binary, probe);
  const read = manifest.ok ? readSpec(manifest.value, name) : manifest;
  return read.ok ? read.value.spec : undefined;
}
