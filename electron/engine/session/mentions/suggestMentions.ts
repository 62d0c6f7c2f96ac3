import type { SessionState } from '../../../../shared/model/sessionState.ts';
import { ok, type Result } from '../../../../shared/result.ts';
import type { RemoteResource } from '../../bridge/mcp/remoteTexts.ts';
import { findPaths } from '../../project/findPaths.ts';
import { sourceFilesGlob } from '../../project/symbols/languages.ts';
import { searchText } from '../../project/textSearch/searchText.ts';
import type { Look } from '../../workspace/look.ts';

export interface MentionChoice {
  readonly kind: 'file' | 'folder' | 'symbol' | 'task' | 'change' | 'resource';
  /** What stands behind the `@`; in quotes where it holds a blank. */
  readonly mention: string;
  readonly label: string;
  /** What tells it from others of its name: a place, a state. */
  readonly note: string;
}

/** Shorter beginnings of names fit half the project. */
const minSymbolLetters = 2;
/** Tasks and changes of a session beside the files. */
const maxOfSession = 4;

/**
 * What could complete a mention, best first: after `symbol:`, `task:` or `change:` only these; else files and folders,
 * then what else has such a name. Symbols are told from the look of their line, which is quick; `session` may be missing
 * before the first message. Errors: those of the walk, CANCELLED.
 */
export async function suggestMentions(
  parts: {
    readonly look: Look;
    readonly state?: Pick<SessionState, 'tasks' | 'changeSets'> | undefined;
    readonly resources?: readonly RemoteResource[] | undefined;
  },
  query: string,
  limit: number,
  signal: AbortSignal,
): Promise<Result<readonly MentionChoice[]>> {
  const { look, state, resources = [] } = parts;
  const [, only, rest = ''] = /^(symbol|task|change):(.*)$/s.exec(query) ?? [];
  if (only === 'task') return ok(tasksLike(state, rest).slice(0, limit));
  if (only === 'change') return ok(changesLike(state, rest).slice(0, limit));
  if (only === 'symbol') return symbolsLike(look, rest, limit, signal);
  const paths = await findPaths(look, query, limit);
  if (!paths.ok) return paths;
  const others = [...resourcesLike(resources, query), ...tasksLike(state, query), ...changesLike(state, query)].slice(
    0,
    query === '' ? 0 : maxOfSession,
  );
  const files = paths.value.slice(0, limit - others.length).map(pathChoice);
  const room = limit - files.length - others.length;
  const symbols = room > 0 ? await symbolsLike(look, query, room, signal) : ok([]);
  return symbols.ok ? ok([...files, ...symbols.value, ...others]) : symbols;
}

function pathChoice(path: string): MentionChoice {
  return { kind: path.endsWith('/') ? 'folder' : 'file', mention: path, label: path, note: '' };
}

/** Words that stand before a name that is defined, in the languages that symbols are read of. */
const definers =
  'class|interface|type|enum|struct|trait|union|fn|func|function\\*?|def|module|namespace|object|record|protocol|const|let|var|val';

async function symbolsLike(
  look: Look,
  query: string,
  limit: number,
  signal: AbortSignal,
): Promise<Result<readonly MentionChoice[]>> {
  if (!/^[\w$]+$/.test(query) || query.length < minSymbolLetters) return ok([]);
  const start = await look.resolve('.');
  if (!start.ok) return start;
  const name = query.replaceAll('$', '\\$');
  const found = await searchText(
    look,
    {
      pattern: `\\b(?:${definers})\\s+(?:\\([^)]*\\)\\s*)?${name}[\\w$]*`,
      ignoreCase: true,
      start: start.value,
      files: sourceFilesGlob,
      contextLines: 0,
      limit: limit * 4,
    },
    signal,
  );
  if (!found.ok) return found;
  const choices = new Map<string, MentionChoice>();
  for (const { file, line, text, matchStart, matchEnd } of found.value.matches) {
    const label = /[\w$]+$/.exec(text.slice(matchStart, matchEnd))?.[0];
    if (label === undefined) continue;
    const mention = `symbol:${file}#${label}`;
    if (!choices.has(mention)) choices.set(mention, { kind: 'symbol', mention, label, note: `${file}:${line}` });
  }
  const exact = (choice: MentionChoice): number => (choice.label === query ? 0 : 1);
  return ok([...choices.values()].toSorted((a, b) => exact(a) - exact(b)).slice(0, limit));
}

function resourcesLike(resources: readonly RemoteResource[], query: string): readonly MentionChoice[] {
  return resources
    .filter(({ mention, label }) => contains(mention, query) || contains(label, query))
    .map(({ mention, label }) => ({ kind: 'resource', mention, label, note: mention }));
}

function tasksLike(state: Pick<SessionState, 'tasks'> | undefined, query: string): readonly MentionChoice[] {
  return Object.values(state?.tasks ?? {})
    .filter(({ id, title, command }) => [id, title, command].some((text) => contains(text, query)))
    .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
    .map(({ id, title, command, state: now }) => ({
      kind: 'task',
      mention: `task:${id}`,
      label: title || command,
      note: now,
    }));
}

function changesLike(state: Pick<SessionState, 'changeSets'> | undefined, query: string): readonly MentionChoice[] {
  return (state?.changeSets ?? [])
    .filter(({ id, files }) => contains(id, query) || files.some(({ path }) => contains(path, query)))
    .toReversed()
    .map(({ id, files, state: now }) => ({
      kind: 'change',
      mention: `change:${id}`,
      label: files.map(({ path }) => path).join(', '),
      note: now,
    }));
}

function contains(text: string, query: string): boolean {
  return text.toLowerCase().includes(query.toLowerCase());
}
