import * as z from 'zod';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { FolderEntry, Look } from '../../workspace/look.ts';
import type { WalkEntry } from '../../workspace/walk.ts';
import { entryTypeSchema } from '../frame/entryType.ts';
import { folderErrors } from '../frame/errorGroups.ts';
import { gatherIgnored, type Ignored, ignoredSchema, ignoredWords, sentences } from '../frame/ignoredPaths.ts';
import { entryLines } from '../frame/resultLines.ts';
import { defineTool, readIntent } from '../frame/tool.ts';

const maxEntries = 2000;

export const listDirectory = defineTool({
  name: 'list_directory',
  category: 'file',
  permission: 'none',
  errors: [...folderErrors, 'UNAVAILABLE'],
  pseudo: 'fs list',
  about:
    'List one folder (default: the project). With recursive, everything below it but what git ignores and dependencies.',
  input: () =>
    z.object({
      path: z.string().optional(),
      recursive: z.boolean().optional(),
      includeHidden: z.boolean().optional(),
    }),
  output: () =>
    z.object({
      path: z.string(),
      entries: z.array(
        z.object({
          name: z.string(),
          path: z.string(),
          type: entryTypeSchema,
          size: z.number().optional(),
          modified: z.string().optional(),
          error: z.string().optional(),
        }),
      ),
      count: z.number(),
      truncated: z.boolean(),
      ignored: ignoredSchema,
    }),

  text: ({ path, entries }) => entryLines(entries, path),

  leftOut: ({ truncated, count, ignored }) =>
    sentences(
      truncated
        ? `Only the first ${count} entries are here; list a folder below, or find files with search_files`
        : undefined,
      ignoredWords(ignored),
    ),

  async plan({ path = '.', recursive = false, includeHidden = false }, look) {
    const found = await look.resolve(path);
    if (!found.ok) return found;
    const { relative, kind } = found.value;
    if (kind === 'missing') return fail('DIRECTORY_NOT_FOUND', `The folder ${relative} does not exist`);
    if (kind !== 'directory') return fail('NOT_A_DIRECTORY', `${relative} is not a folder; read it with read_file`);
    return ok({ intent: readIntent(`List ${relative}`, relative), plan: { path: relative, recursive, includeHidden } });
  },

  async run({ path, recursive, includeHidden }, { look, signal }) {
    const listed: Result<Listed> = recursive
      ? await listBelow(look, path, includeHidden, signal)
      : await look.list(path, { hidden: includeHidden, limit: maxEntries });
    if (!listed.ok) return listed;
    const entries = listed.value.entries.map(entryOf);
    const { truncated, ignored } = listed.value;
    return ok({ path, entries, count: entries.length, truncated, ignored });
  },
});

interface Listed {
  readonly entries: readonly FolderEntry[];
  readonly truncated: boolean;
  readonly ignored?: Ignored | undefined;
}

async function listBelow(look: Look, path: string, hidden: boolean, signal: AbortSignal): Promise<Result<Listed>> {
  const ignored = gatherIgnored();
  const walked = await look.walk(path, { hidden, signal, onIgnored: ignored.add });
  if (!walked.ok) return walked;
  const found: WalkEntry[] = [];
  let truncated = false;
  for await (const entry of walked.value) {
    if (found.length === maxEntries) {
      truncated = true;
      break;
    }
    found.push(entry);
  }
  if (signal.aborted) return fail('CANCELLED', 'Listing was stopped');
  const entries: FolderEntry[] = [];
  for (let index = 0; index < found.length; index += statsAtOnce) {
    entries.push(
      ...(await Promise.all(found.slice(index, index + statsAtOnce).map((entry) => withFacts(look, entry)))),
    );
  }
  return ok({ entries, truncated, ignored: ignored.found() });
}

/** Enough to keep the thread pool busy, few enough to leave file descriptors to others. */
const statsAtOnce = 32;

async function withFacts(look: Look, { path, name, type, error }: WalkEntry): Promise<FolderEntry> {
  const facts = await look.stat(path);
  const problem = error ?? (facts.ok ? undefined : facts.error.code);
  return {
    name,
    path,
    type,
    sizeBytes: facts.ok ? facts.value.sizeBytes : undefined,
    modifiedAt: facts.ok ? facts.value.modifiedAt : undefined,
    error: problem,
  };
}

function entryOf({ name, path, type, sizeBytes, modifiedAt, error }: FolderEntry) {
  return {
    name,
    path,
    type,
    size: type === 'file' ? sizeBytes : undefined,
    modified: modifiedAt,
    error,
  };
}
