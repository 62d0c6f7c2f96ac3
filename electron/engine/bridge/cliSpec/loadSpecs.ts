import { mkdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { writeFileAtomic } from '../../base/atomicFile.ts';
import { describeError } from '../../base/log.ts';
import { discoverSpecs, type LoadError, type SpecCandidate, type SpecFile, type SpecFolder } from './discover.ts';
import { askManifest, detectVersion, knownVersion, type ProbeParts, rememberNoManifest } from './probe.ts';
import { compareVersions, isSafeVersion, pickVersion } from './programVersion.ts';
import { type ReadSpec, readSpec } from './readSpec.ts';
import { createRelay } from './relay.ts';
import { type FoundBinary, isBareName, isInside, resolveBinary, type SearchPath } from './resolveBinary.ts';
import type { CliSpec, SpecSource } from './specTypes.ts';
import type { SpecIssue } from './validateSpec.ts';

export interface LoadedSpec {
  readonly spec: CliSpec;
  readonly resolvedBinaryPath: string;
  readonly installedVersion: string;
  readonly exactVersionMatch: boolean;
  readonly source: SpecSource;
  /** The file it was read from, or written to when it was refreshed. */
  readonly path: string;
  /** The binary lies in the project: whoever wrote the project wrote what would run. */
  readonly binaryInProject: boolean;
  /** Over all files of its folder. */
  readonly hash: string;
  readonly warnings: readonly SpecIssue[];
}

/** A spec that waits for the user's trust, or was refused it; nothing of it was started. */
export interface UntrustedSpec {
  readonly tool: string;
  readonly path: string;
  readonly source: SpecSource;
  readonly hash: string;
  /** The user said no to this very content. */
  readonly refused: boolean;
  /** What it says, where it can be read. */
  readonly spec?: CliSpec;
}

export interface LoadedSpecs {
  readonly specs: readonly LoadedSpec[];
  readonly errors: readonly LoadError[];
  readonly untrusted: readonly UntrustedSpec[];
  /** Lines for the log. */
  readonly notes: readonly string[];
}

export interface LoadParts extends ProbeParts {
  readonly folders: readonly SpecFolder[];
  readonly search: SearchPath;
  /** The real path of the project, when one is open. */
  readonly project?: string;
  /** Whether the user trusts the project with this content of its specs. */
  trusts(projectHash: string | undefined): Promise<boolean>;
  /** What the user said of one spec of the project with this content; it counts before the trust in the whole. */
  decided?(tool: string, hash: string): boolean | undefined;
  /** False: a stale spec is not replaced by what its binary says of itself. */
  readonly refresh?: boolean;
  /** Nothing is started: versions are those that are remembered, else those of the newest files. */
  readonly passive?: boolean;
}

const unversioned = 'unknown';
const maxAtOnce = 4;
const maxLoadMs = 20_000;

/** Finds and loads all specs, at most 4 programs at a time and 20 s in all. It never throws; faults are in the answer. */
export async function loadSpecs(parts: LoadParts): Promise<LoadedSpecs> {
  const { candidates, errors, projectHash } = await discoverSpecs(parts.folders);
  const trusted = await parts.trusts(projectHash).catch(() => false);
  const state: State = { specs: [], errors: [...errors], untrusted: [], notes: [], trusted };
  const byTool = Map.groupBy(candidates, ({ tool }) => tool);
  const late = AbortSignal.timeout(maxLoadMs);
  const signal = parts.signal ? AbortSignal.any([parts.signal, late]) : late;
  const relay = process.platform === 'win32' || parts.ask ? undefined : createRelay(parts, parts.run);
  const asking = { ...parts, signal, ...(relay ? { ask: relay.run } : {}) };
  await eachAtMost(maxAtOnce, [...byTool.values()], (sameTool) => loadTool(sameTool, asking, state));
  relay?.close();
  parts.cache.save();
  const byName = (a: LoadedSpec, b: LoadedSpec): number => (a.spec.name < b.spec.name ? -1 : 1);
  const folderCount = new Set(candidates.map(({ folder }) => folder.path)).size;
  return {
    specs: state.specs.toSorted(byName),
    errors: state.errors,
    untrusted: state.untrusted,
    notes: [...state.notes, `[cli-bridge] Loaded ${state.specs.length} tool specs from ${folderCount} directories`],
  };
}

interface State {
  readonly specs: LoadedSpec[];
  readonly errors: LoadError[];
  readonly untrusted: UntrustedSpec[];
  readonly notes: string[];
  readonly trusted: boolean;
}

/** The strongest folder whose spec loads wins; a broken one does not hide a weaker one. */
async function loadTool(candidates: readonly SpecCandidate[], parts: LoadParts, state: State): Promise<void> {
  for (const candidate of candidates) {
    const { folder, tool, files } = candidate;
    const path = files[0]?.path ?? folder.path;
    const decided = folder.source === 'project' ? (parts.decided?.(tool, candidate.hash) ?? state.trusted) : true;
    if (!decided) {
      state.untrusted.push(untrusted(candidate, parts.decided?.(tool, candidate.hash) === false));
      continue;
    }
    try {
      const loaded = await loadCandidate(candidate, parts, state);
      if (loaded.ok) {
        state.specs.push(loaded.value);
        return;
      }
      const where = loaded.error.details;
      state.errors.push({ specPath: typeof where === 'string' ? where : path, message: loaded.error.message });
    } catch (error) {
      state.errors.push({ specPath: path, message: describeError(error) }); // one tool's bug must not cost the others
    }
  }
}

function untrusted(candidate: SpecCandidate, refused: boolean): UntrustedSpec {
  const { tool, folder, hash } = candidate;
  const newest = candidate.files.toSorted((a, b) => compareVersions(a.version, b.version)).at(-1);
  const read = newest && readSpec(newest.text, tool);
  return {
    tool,
    path: newest?.path ?? folder.path,
    source: folder.source,
    hash,
    refused,
    ...(read?.ok ? { spec: read.value.spec } : {}),
  };
}

async function loadCandidate(candidate: SpecCandidate, parts: LoadParts, state: State): Promise<Result<LoadedSpec>> {
  const { tool, folder, files } = candidate;
  const read = files.map((file) => ({ file, spec: readSpec(file.text, tool) }));
  // Before the installed version is known, the newest file is the likeliest.
  const first = read.toSorted((a, b) => compareVersions(a.file.version, b.file.version)).at(-1);
  if (first === undefined) return fail('CONFIG_INVALID', 'No spec file');
  const binary = findBinary(first.spec, candidate, parts);
  if (!binary.ok) return fail(binary.error.code, binary.error.message, first.file.path);
  const binaryInProject = parts.project !== undefined && isInside(binary.value.realPath, parts.project);
  if (binaryInProject && !state.trusted) {
    state.untrusted.push(untrusted(candidate, false));
    return fail('UNTRUSTED', `The binary of ${tool} lies in the project, which is not trusted`, first.file.path);
  }
  const ordered = [first, ...read.filter((entry) => entry !== first)];
  const detections = ordered.flatMap(({ spec }) => (spec.ok ? [spec.value.spec.versionDetection] : []));
  const asked = parts.passive
    ? ok(knownVersion(binary.value, detections, parts) ?? first.file.version)
    : await detectVersion(binary.value, detections, parts);
  // A program that tells no version was registered as one of an unknown version.
  const isUnversioned =
    !asked.ok && asked.error.code !== 'CANCELLED' && files.some(({ version }) => version === unversioned);
  const installed = isUnversioned ? ok(unversioned) : asked;
  if (!installed.ok) {
    const late = installed.error.code === 'CANCELLED';
    const message = late ? `${tool} did not load within ${maxLoadMs / 1_000} s` : installed.error.message;
    return fail(installed.error.code, message, first.file.path);
  }
  const picked = pickVersion(
    files.map(({ version }) => version),
    installed.value,
  );
  const chosen = read.find(({ file }) => file.version === picked?.version) ?? first;
  if (!chosen.spec.ok) return fail(chosen.spec.error.code, chosen.spec.error.message, chosen.file.path);
  const loaded: LoadedSpec = {
    spec: chosen.spec.value.spec,
    resolvedBinaryPath: binary.value.path,
    installedVersion: installed.value,
    exactVersionMatch: picked?.exact ?? false,
    source: folder.source,
    path: chosen.file.path,
    binaryInProject,
    get hash() {
      return candidate.hash;
    },
    warnings: chosen.spec.value.warnings,
  };
  if (loaded.exactVersionMatch || parts.refresh === false || parts.passive) return ok(loaded);
  return ok(await refreshed(loaded, chosen.file, binary.value, folder, parts, state));
}

/** The binary that a spec names, if it may; else the one of the folder's name. */
function findBinary(
  spec: Result<ReadSpec>,
  { tool, folder }: SpecCandidate,
  { search }: LoadParts,
): Result<FoundBinary> {
  const named = spec.ok ? spec.value.spec.binary : tool;
  if (isBareName(named)) return resolveBinary(named, search);
  if (!/[\\/]/.test(named)) return resolveBinary(tool, search);
  if (folder.source === 'user' && isAbsolute(named)) return resolveBinary(named, search);
  return fail(
    'CONFIG_INVALID',
    `The binary ${named} is a path; only the user's own specs may name one, an absolute one`,
  );
}

/** What the binary says of itself replaces a spec of another version; any failure keeps the old one. */
async function refreshed(
  old: LoadedSpec,
  file: SpecFile,
  binary: FoundBinary,
  folder: SpecFolder,
  parts: LoadParts,
  state: State,
): Promise<LoadedSpec> {
  const { name } = old.spec;
  const keep = (reason: string): LoadedSpec => {
    state.notes.push(
      `[cli-bridge] The spec of ${name} was generated against v${file.version}, installed is v${old.installedVersion}`,
      `[cli-bridge] auto-refresh unavailable for ${name} (${reason}); run: vise bridge register ${name}`,
    );
    return old;
  };
  const manifest = await askManifest(binary, parts);
  if (!manifest.ok) return keep(manifest.error.message);
  const fresh = readSpec(manifest.value, name);
  if (!fresh.ok) {
    rememberNoManifest(binary, fresh.error.message, parts);
    return keep(fresh.error.message);
  }
  const target = refreshTarget(folder, parts.folders, name, old.installedVersion);
  let path = old.path;
  if (target !== undefined) {
    try {
      mkdirSync(join(target, '..'), { recursive: true });
      writeFileAtomic(target, manifest.value, { mode: 0o644 });
      path = target;
    } catch (error) {
      // The fresh spec serves this run all the same.
      state.notes.push(`[cli-bridge] the refreshed spec of ${name} could not be kept: ${describeError(error)}`);
    }
  }
  state.notes.push(`[cli-bridge] auto-refreshed spec for ${name} to v${old.installedVersion} (was v${file.version})`);
  return { ...old, spec: fresh.value.spec, warnings: fresh.value.warnings, exactVersionMatch: true, path };
}

/** Next to the stale file only in the user's folder: a project is not written to unasked, what is bundled not at all. */
function refreshTarget(
  folder: SpecFolder,
  folders: readonly SpecFolder[],
  name: string,
  version: string,
): string | undefined {
  const user = folder.source === 'user' ? folder : folders.find(({ source }) => source === 'user');
  return user === undefined || !isSafeVersion(version) ? undefined : join(user.path, name, `${version}.json`);
}

async function eachAtMost<T>(limit: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
}
