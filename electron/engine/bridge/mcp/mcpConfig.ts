import { createHash } from 'node:crypto';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { parseJson } from '../../base/boundedJson.ts';

export type ServerOrigin = 'user' | 'project';

/** One MCP server, as settings or a project's `.mcp.json` name it. */
export interface ServerEntry {
  readonly name: string;
  readonly origin: ServerOrigin;
  readonly connection:
    | {
        readonly kind: 'stdio';
        readonly command: string;
        readonly args: readonly string[];
        readonly env: Readonly<Record<string, string>>;
      }
    | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> };
}

export interface ServerEntries {
  readonly entries: readonly ServerEntry[];
  /** Entries that cannot be used, in words. */
  readonly faults: readonly string[];
}

const maxChars = 1_000_000;
const maxServers = 50;

/**
 * Reads `{"mcpServers": {name: {command, args?, env?} | {url, headers?}}}`. `${NAME}` and `${NAME:-else}` in values are
 * replaced from `env`, which has no secrets: an entry of a project cannot ask for them. Errors: CONFIG_INVALID.
 */
export function readServerEntries(
  text: string,
  origin: ServerOrigin,
  env: Readonly<Record<string, string | undefined>>,
): Result<ServerEntries> {
  if (text.length > maxChars) return fail('CONFIG_INVALID', 'The list of MCP servers is larger than 1 MB');
  const parsed = parseJson(text.replace(/^\uFEFF/, ''));
  if (!parsed.ok) return fail('CONFIG_INVALID', `The list of MCP servers is not valid JSON: ${parsed.message}`);
  const servers = isRecord(parsed.value) ? parsed.value['mcpServers'] : undefined;
  if (servers === undefined) return ok({ entries: [], faults: [] });
  if (!isRecord(servers)) return fail('CONFIG_INVALID', '"mcpServers" must be an object');
  const entries: ServerEntry[] = [];
  const faults: string[] = [];
  for (const [name, value] of Object.entries(servers).slice(0, maxServers)) {
    const entry = readEntry(name, value, origin, (part) => expand(part, env));
    if (typeof entry === 'string') faults.push(`MCP server ${JSON.stringify(name)}: ${entry}`);
    else entries.push(entry);
  }
  return ok({ entries, faults });
}

function readEntry(
  name: string,
  value: unknown,
  origin: ServerOrigin,
  fill: (text: string) => string,
): ServerEntry | string {
  if (!/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$/.test(name))
    return 'its name may have letters, digits, blanks, ".", "_" and "-"';
  if (!isRecord(value)) return 'must be an object';
  const { command, url, args = [], env = {}, headers = {} } = value;
  if (typeof command === 'string' && command.trim() !== '') {
    if (!isTexts(args)) return '"args" must be an array of strings';
    if (!isTextRecord(env)) return '"env" must be an object of strings';
    const connection = {
      kind: 'stdio' as const,
      command: fill(command),
      args: args.map(fill),
      env: mapValues(env, fill),
    };
    return [connection.command, ...connection.args].some((word) => word.includes('\0'))
      ? 'has a NUL character'
      : { name, origin, connection };
  }
  if (typeof url !== 'string') return 'needs "command" or "url"';
  const address = fill(url);
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    return '"url" must be an http or https address';
  if (!isTextRecord(headers)) return '"headers" must be an object of strings';
  return { name, origin, connection: { kind: 'http', url: address, headers: mapValues(headers, fill) } };
}

function expand(text: string, env: Readonly<Record<string, string | undefined>>): string {
  return text.replaceAll(
    /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g,
    (whole, name: string, fallback: string | undefined) => env[name] ?? fallback ?? whole,
  );
}

/** What trust is bound to: an entry that changes in any way is asked again. */
export function entryHash(entry: ServerEntry): string {
  return createHash('sha256')
    .update(JSON.stringify([entry.name, entry.connection]))
    .digest('hex');
}

/** The servers to use; of two with one name the user's own wins, so that a project cannot take its place. */
export function mergeEntries(...lists: readonly (readonly ServerEntry[])[]): readonly ServerEntry[] {
  const byName = new Map<string, ServerEntry>();
  for (const entry of lists.flat().toSorted((a, b) => Number(a.origin === 'project') - Number(b.origin === 'project')))
    if (!byName.has(entry.name)) byName.set(entry.name, entry);
  return [...byName.values()];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function isTextRecord(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.values(value).every((entry) => typeof entry === 'string');
}

function mapValues(
  record: Readonly<Record<string, string>>,
  map: (text: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
