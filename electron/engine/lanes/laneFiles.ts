import type { LaneRecord } from '../../../shared/model/lane.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { Repository } from '../git/repository.ts';
import { proposedHunks } from '../workspace/composeVerdict.ts';
import type { Look } from '../workspace/look.ts';
import type { NewContent, ProposedChange } from '../workspace/proposedChange.ts';
import { bytesFileOf, type TextFile, textFileOf } from '../workspace/textFile.ts';
import { type LaneEntry, laneDiff } from './laneDiff.ts';
import { type LaneDeps, openRepositoryOf } from './lanePlaces.ts';

/** What a lane makes of one file, beside what the home project has there now. */
export interface FileOfLane {
  readonly entry: LaneEntry;
  /** Of a text: from what the lane began with to what it has now. Without it the file goes home whole or not at all. */
  readonly edit?: ProposedChange;
  /** What is proposed for the home project when all of it is wanted and nobody else has touched the file there. */
  readonly whole: ProposedChange;
  /** The home project has it as the lane does. */
  readonly isHome: boolean;
  /** The home project has it as the lane began with it. */
  readonly isUntouched: boolean;
  /** Why it cannot go home at all. */
  readonly refused?: string;
}

/** Errors: those of opening either repository and of git, LIMIT_EXCEEDED. */
export async function filesOfLane(deps: LaneDeps, record: LaneRecord): Promise<Result<readonly FileOfLane[]>> {
  const lane = await openRepositoryOf(deps, record.folder);
  if (!lane.ok) return lane;
  const home = await openRepositoryOf(deps, record.home);
  if (!home.ok) return home;
  const entries = await laneDiff(lane.value.repository, record);
  if (!entries.ok) return entries;
  const files: FileOfLane[] = [];
  for (const entry of entries.value) {
    const sides: Sides = {
      lane: lane.value.project.look,
      home: home.value.project.look,
      repository: home.value.repository,
      base: record.base,
    };
    files.push(await fileOfLane(entry, sides));
  }
  return ok(files.toSorted((a, b) => (a.entry.path < b.entry.path ? -1 : 1)));
}

interface Sides {
  readonly lane: Look;
  readonly home: Look;
  /** Of the home project. */
  readonly repository: Repository;
  readonly base: string;
}

async function fileOfLane(entry: LaneEntry, { lane, home, repository, base }: Sides): Promise<FileOfLane> {
  const { path, status, oldMode, newMode } = entry;
  const refused = (why: string): FileOfLane => ({
    entry,
    whole: nothing(path),
    isHome: false,
    isUntouched: false,
    refused: why,
  });
  if (oldMode === '120000' || newMode === '120000') return refused('a link; make it here by hand, or merge the branch');
  if (oldMode === '160000' || newMode === '160000') return refused('a submodule; merge the branch to bring it');
  const facts = status === 'deleted' ? undefined : await lane.stat(path);
  if (facts?.ok && facts.value.type !== 'file') return refused('no plain file; make it here by hand');
  const there = status === 'deleted' ? undefined : await lane.readBytes(path);
  if (there && !there.ok) return refused(there.error.message);
  const homeFacts = await home.stat(path);
  if (homeFacts.ok && homeFacts.value.type !== 'file')
    return refused('something else than a file stands here in the project');
  const here = homeFacts.ok ? await home.readBytes(path) : undefined;
  if (here && !here.ok) return refused(here.error.message);
  const now = here?.ok ? here.value : null;
  const before = now ? readable(now) : null;
  const after = there ? contentOf(readable(there.value)) : null;
  const isRunnable = there !== undefined && (there.value.mode & 0o111) !== 0;
  const isOtherMode =
    there !== undefined && process.platform !== 'win32' && isRunnable !== ((now?.mode ?? 0) & 0o111) > 0;
  const whole: ProposedChange = {
    path,
    status: after === null ? 'deleted' : before === null ? 'added' : 'modified',
    before,
    after,
    ...(isOtherMode ? { executable: isRunnable } : {}),
  };
  const isHome = there === undefined ? now === null : now !== null && now.hash === there.value.hash && !isOtherMode;
  const isUntouched = await isAsBegun(entry, now !== null, repository);
  const text = status === 'added' ? '' : await textAt(repository, base, path);
  if (text === undefined || after === null || !('text' in after)) return { entry, whole, isHome, isUntouched };
  const began: TextFile = { ...after.like, text, hash: '', sizeBytes: text.length, mode: 0o644, modifiedAt: '' };
  const edit: ProposedChange = { path, status: 'modified', before: began, after };
  return { entry: withLines(entry, edit), edit, whole, isHome, isUntouched };
}

function nothing(path: string): ProposedChange {
  return { path, status: 'modified', before: null, after: null };
}

/** Of a file that git does not know yet the lines are counted here. */
function withLines(entry: LaneEntry, edit: ProposedChange): LaneEntry {
  if (entry.additions + entry.deletions > 0) return entry;
  let additions = 0;
  let deletions = 0;
  for (const hunk of proposedHunks(edit)) {
    additions += hunk.newLines;
    deletions += hunk.oldLines;
  }
  return { ...entry, additions, deletions };
}

function readable({ bytes, mode, modifiedAt, ...rest }: Parameters<typeof textFileOf>[0] & { readonly real: string }) {
  const file = bytesFileOf(bytes, { mode, modifiedAt });
  const text = textFileOf(file);
  return { ...(text.ok ? text.value : file), real: rest.real };
}

function contentOf(file: ReturnType<typeof readable>): NewContent {
  return 'text' in file ? { text: file.text, like: file } : { bytes: file.bytes };
}

/** As git sees it: line ends that it would change by itself are none. */
async function isAsBegun(
  { path, status, oldBlob }: LaneEntry,
  exists: boolean,
  repository: Repository,
): Promise<boolean> {
  if (status === 'added') return !exists;
  if (!exists) return false;
  const hashed = await repository.read(['hash-object', '--', path]);
  return hashed.ok && hashed.value.stdout.trim() === oldBlob;
}

/** What a file began as, as a working tree would hold it; nothing where that is no text in UTF-8. */
async function textAt(repository: Repository, commit: string, path: string): Promise<string | undefined> {
  const read = await repository.read(['cat-file', '--filters', `${commit}:${repository.prefix}${path}`]);
  if (!read.ok || read.value.truncated || /[\uFFFD\0]/.test(read.value.stdout)) return undefined;
  return read.value.stdout.replace(/^\uFEFF/, '');
}
