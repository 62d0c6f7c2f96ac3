import type { LaneRecord } from '../../../shared/model/lane.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Repository } from '../git/repository.ts';
import type { Look } from '../workspace/look.ts';
import { looksBinary } from '../workspace/textFile.ts';

/** One path that differs between what a lane began from and its files as they are now. */
export interface LaneEntry {
  /** Relative to the project. */
  readonly path: string;
  readonly status: 'added' | 'modified' | 'deleted';
  /** Of git, octal; 000000 on the side where there is nothing. */
  readonly oldMode: string;
  readonly newMode: string;
  /** The object that it began as. */
  readonly oldBlob: string;
  readonly additions: number;
  readonly deletions: number;
}

/** More than this nobody reviews. */
const maxEntries = 5_000;

/** Paths below the folder that the home project is. Errors: those of git, LIMIT_EXCEEDED. */
export async function laneDiff(
  repository: Repository,
  { base }: Pick<LaneRecord, 'base'>,
): Promise<Result<readonly LaneEntry[]>> {
  const untracked = await repository.read(['ls-files', '--others', '--exclude-standard', '-z', '--', '.']);
  if (!untracked.ok) return untracked;
  const plain = ['--no-ext-diff', '--no-textconv', '--no-renames', '--relative', '-z', '--ignore-submodules=dirty'];
  const raw = await repository.read(['diff', '--raw', '--numstat', '--no-abbrev', ...plain, base, '--', '.']);
  if (!raw.ok) return raw;
  if (raw.value.truncated) return tooMany;
  const entries = new Map(parseDiff(raw.value.stdout).map((entry) => [entry.path, entry]));
  for (const added of untrackedEntries(untracked.value.stdout)) {
    const began = entries.get(added.path);
    const now = began && (await repository.read(['hash-object', '--', added.path]));
    // Git does not know it, and calls it deleted: what was carried into the lane, or was taken out of the index there.
    if (!began || !now) entries.set(added.path, added);
    else if (now.ok && now.value.stdout.trim() === began.oldBlob) entries.delete(added.path);
    else entries.set(added.path, { ...began, status: 'modified', newMode: none });
  }
  return entries.size > maxEntries ? tooMany : ok([...entries.values()]);
}

const tooMany = fail('LIMIT_EXCEEDED', `The lane changes more than ${maxEntries} files. Merge its branch instead.`);
const none = '000000';

function parseDiff(output: string): readonly LaneEntry[] {
  const fields = output.split('\0');
  const entries = new Map<string, LaneEntry>();
  for (let at = 0; at < fields.length; at += 1) {
    const field = fields[at] ?? '';
    const raw = /^:(\d+) (\d+) ([0-9a-f]+) [0-9a-f]+ ([A-Z])/.exec(field);
    if (raw) {
      const [, oldMode = none, newMode = none, oldBlob = '', letter = ''] = raw;
      const path = fields[(at += 1)] ?? '';
      const status = letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'modified';
      entries.set(path, { path, status, oldMode, newMode, oldBlob, additions: 0, deletions: 0 });
      continue;
    }
    const counted = /^(\d+|-)\t(\d+|-)\t(.+)$/s.exec(field);
    const entry = counted && entries.get(counted[3] ?? '');
    if (entry)
      entries.set(entry.path, {
        ...entry,
        additions: Number(counted[1]) || 0,
        deletions: Number(counted[2]) || 0,
      });
  }
  return [...entries.values()];
}

function untrackedEntries(output: string): readonly LaneEntry[] {
  const added = { status: 'added', oldMode: none, newMode: none, oldBlob: '', additions: 0, deletions: 0 } as const;
  return output
    .split('\0')
    .filter((path) => path !== '' && !path.endsWith('/'))
    .map((path) => ({ path, ...added }));
}

/** How much a lane changes; of files that git does not know yet the lines are counted here. Errors: those of `laneDiff`. */
export async function countChanges(
  repository: Repository,
  look: Pick<Look, 'readBytes'>,
  record: Pick<LaneRecord, 'base'>,
): Promise<Result<{ readonly files: number; readonly additions: number; readonly deletions: number }>> {
  const entries = await laneDiff(repository, record);
  if (!entries.ok) return entries;
  let additions = 0;
  let deletions = 0;
  for (const entry of entries.value) {
    additions += entry.additions;
    deletions += entry.deletions;
    if (entry.status !== 'added' || entry.newMode !== none) continue;
    const read = await look.readBytes(entry.path);
    if (read.ok && !looksBinary(read.value.bytes))
      additions += Buffer.from(read.value.bytes)
        .toString('latin1')
        .split(/\n(?!$)/).length;
  }
  return ok({ files: entries.value.length, additions, deletions });
}
