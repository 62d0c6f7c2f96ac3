import { existsSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fail, ok, type Result } from '../../../../../shared/result.ts';
import { writeFileAtomic } from '../../../base/atomicFile.ts';
import { describeError } from '../../../base/log.ts';
import { askManifest, detectVersion, type ProbeParts } from '../probe.ts';
import { memoryProbeCache } from '../probeCache.ts';
import { readSpec } from '../readSpec.ts';
import { type FoundBinary, resolveBinary, type SearchPath } from '../resolveBinary.ts';
import type { CliSpec } from '../specTypes.ts';
import { validateSpec } from '../validateSpec.ts';
import { isSafeVersion } from '../version.ts';
import { commandNames, scrapeHelp } from './scrapeHelp.ts';

export interface RegisterParts extends Omit<ProbeParts, 'cache'> {
  readonly search: SearchPath;
  /** The user's folder of specs. */
  readonly userFolder: string;
  /** ISO time. */
  now(): string;
}

export interface RegisterOptions {
  /** Replace a spec of the same name and version. */
  readonly force?: boolean;
  /** Make the spec, write nothing. */
  readonly dryRun?: boolean;
  /** Ask each sub-command for its help; by itself up to 40 sub-commands are asked. */
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
  /** `canonical`: the binary describes itself. `heuristic`: read from its help, to be reviewed. */
  readonly kind: 'canonical' | 'heuristic';
}

export interface Proposal extends Omit<Registered, 'path'> {
  /** Of the program; `unknown` where it does not tell, or tells none that may be a file's name. */
  readonly version: string;
}

const helpMs = 10_000;
const maxHelpBytes = 1024 * 1024;
const minHelpChars = 40;
const maxDeepByItself = 40;
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
  if (kind === 'heuristic' && options.review && !(await options.review(proposed.value)))
    return fail('CANCELLED', 'Nothing was written.');
  const path = keepSpec(text, spec.name, version, parts.userFolder, options.force === true);
  return path.ok ? ok({ spec, text, kind, path: path.value }) : path;
}

/** Makes a spec of a program for review; writes nothing. Errors: those of `registerBinary` but the writing ones. */
export async function proposeSpec(
  program: string,
  parts: RegisterParts,
  { deep }: Pick<RegisterOptions, 'deep'> = {},
): Promise<Result<Proposal>> {
  const binary = resolveBinary(program, parts.search);
  if (!binary.ok) return binary;
  const name = basename(program).replace(/\.(?:exe|cmd|bat|com)$/i, '');
  const probe: ProbeParts = { ...parts, cache: memoryProbeCache() };
  const version = await detectVersion(binary.value, [], probe);
  if (!version.ok && version.error.code === 'CANCELLED') return version;
  const installed = version.ok && isSafeVersion(version.value) ? version.value : 'unknown';
  const made =
    (await canonical(binary.value, name, probe, parts)) ??
    (await heuristic(binary.value, name, installed, parts, deep));
  return made.ok ? ok({ ...made.value, version: installed }) : made;
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

async function canonical(
  binary: FoundBinary,
  name: string,
  probe: ProbeParts,
  parts: RegisterParts,
): Promise<Result<Registered> | undefined> {
  const manifest = await askManifest(binary, probe);
  if (!manifest.ok) return undefined;
  const read = readSpec(manifest.value, name);
  if (!read.ok) return undefined;
  const registration = { resolvedPath: binary.path, registeredAt: parts.now() };
  const spec: CliSpec = { ...read.value.spec, registration };
  return ok({ spec, text: `${JSON.stringify(spec, null, 2)}\n`, kind: 'canonical' });
}

async function heuristic(
  binary: FoundBinary,
  name: string,
  version: string,
  parts: RegisterParts,
  deep: boolean | undefined,
): Promise<Result<Registered>> {
  const text = await helpOf(binary, [], parts);
  if (text === undefined) return fail('UNAVAILABLE', `${name} gives no help: --help, help and -h were tried`);
  const names = commandNames(text, name);
  const asked = (deep ?? names.length <= maxDeepByItself) ? names : [];
  const answers = new Map<string, string>();
  const queue = asked.values();
  const worker = async (): Promise<void> => {
    for (const command of queue) {
      const own = await helpOf(binary, [command], parts);
      // Many programs answer with their top help to anything; that would give each command all flags.
      if (own !== undefined && own !== text) answers.set(command, own);
    }
  };
  await Promise.all(Array.from({ length: Math.min(4, asked.length) }, worker));
  const registration = { resolvedPath: binary.path, registeredAt: parts.now(), helpOutput: text.slice(0, 2_000) };
  const spec: CliSpec = { ...scrapeHelp({ text, name, version, deep: answers, binary: name }), registration };
  const check = validateSpec(spec, true);
  if (!check.ok) return fail('CONFIG_INVALID', `No valid spec can be made of the help of ${name}`, check.errors);
  return ok({ spec: check.spec, text: `${JSON.stringify(spec, null, 2)}\n`, kind: 'heuristic' });
}

async function helpOf(
  binary: FoundBinary,
  command: readonly string[],
  parts: RegisterParts,
): Promise<string | undefined> {
  const tries = command.length > 0 ? ['--help', '-h'] : ['--help', 'help', '-h'];
  for (const word of tries) {
    const { stdout, stderr } = await parts.run({
      file: binary.path,
      args: [...command, word],
      cwd: parts.cwd,
      env: {
        ...parts.env,
        PAGER: 'cat',
        GIT_PAGER: 'cat',
        MANPAGER: 'cat',
        COLUMNS: '120',
        NO_COLOR: '1',
        TERM: 'dumb',
      },
      timeoutMs: helpMs,
      maxBytes: maxHelpBytes,
      ...(parts.signal ? { signal: parts.signal } : {}),
    });
    const text = `${stdout}\n${stderr}`.trim();
    if (text.length >= minHelpChars) return text;
  }
  return undefined;
}
