import { fail, ok, type Result } from '../../../../../shared/result.ts';
import { splitLines } from '../../../../../shared/text/lines.ts';
import { clipText } from '../../../tools/frame/clipText.ts';
import { type Action, type ActionPorts, type Params, params } from '../action.ts';
import { maxContent } from '../shapes.ts';
import { calls, callTool, fields, listOf, runProgram, textOf } from './callTool.ts';

const maxFiles = 100;

export const fsActions: readonly Action[] = [
  {
    module: 'fs',
    action: 'read',
    about: 'Read a text file, or --limit lines of it after --offset lines.',
    params: params('path* offset:number limit:number line-numbers:boolean'),
    run: readPart,
  },
  {
    module: 'fs',
    action: 'write',
    about: 'Write a whole file; folders above it are made.',
    params: params('path* content*'),
    run: calls('write_file', ({ path, content }) => ({ filePath: path, content })),
  },
  {
    module: 'fs',
    action: 'create-file',
    about: 'Make a new file in the folder --path; it must not exist.',
    params: params('name* source* path*'),
    async run(given, ports) {
      const path = await freePath(given, ports);
      return path.ok ? callTool(ports, 'write_file', { filePath: path.value, content: textOf(given, 'source') }) : path;
    },
  },
  {
    module: 'fs',
    action: 'create-folder',
    about: 'Make a new folder in the folder --path.',
    params: params('name* path*'),
    async run(given, ports) {
      const path = await freePath(given, ports);
      if (!path.ok) return path;
      const made = await runProgram(ports, 'mkdir', ['-p', '--', path.value]);
      return made.ok ? ok({ path: path.value, created: true }) : made;
    },
  },
  {
    module: 'fs',
    action: 'update',
    about: 'Replace the content of a file that exists in the folder --path.',
    params: params('name* path* content*'),
    async run(given, ports) {
      const path = joinPath(given);
      if (!path.ok) return path;
      const info = await callTool(ports, 'get_file_info', { filePath: path.value });
      if (!info.ok) return info;
      return callTool(ports, 'write_file', { filePath: path.value, content: textOf(given, 'content') });
    },
  },
  {
    module: 'fs',
    action: 'delete-file',
    about: 'Delete a file in the folder --path.',
    params: params('name* path*'),
    async run(given, ports) {
      const path = await existingPath(given, ports, 'file');
      if (!path.ok) return path;
      // As a patch the deletion is reviewed and can be undone; what no patch can say is removed by the system.
      const patch = `*** Begin Patch\n*** Delete File: ${path.value}\n*** End Patch\n`;
      const patched = path.value.includes('\n')
        ? undefined
        : await callTool(ports, 'apply_unified_diff', { diff: patch });
      if (patched !== undefined && (patched.ok || !unpatchable.has(patched.error.code))) return patched;
      return runProgram(ports, 'rm', ['--', path.value]);
    },
  },
  {
    module: 'fs',
    action: 'delete-folder',
    about: 'Delete a folder in the folder --path with all it holds.',
    params: params('name* path*'),
    async run(given, ports) {
      const path = await existingPath(given, ports, 'directory');
      return path.ok ? runProgram(ports, 'rm', ['-r', '--', path.value]) : path;
    },
  },
  {
    module: 'fs',
    action: 'list',
    about: 'List a folder.',
    params: params('path* recursive:boolean'),
    run: calls('list_directory'),
  },
  {
    module: 'fs',
    action: 'list-dir',
    about: 'List a folder without what lies deeper.',
    params: params('path*'),
    run: calls('list_directory', ({ path }) => ({ path })),
  },
  {
    module: 'fs',
    action: 'search',
    about: 'Search by a regular expression in the files that --pattern (a glob) names.',
    params: params('path* regex* pattern*'),
    run: calls('grep_search', ({ path, regex, pattern }) => ({ path, pattern: regex, filePattern: pattern })),
  },
  {
    module: 'fs',
    action: 'grep',
    about: 'Search for a literal text; --include and --exclude are globs.',
    params: params('path* query* include exclude'),
    run: grep,
  },
  {
    module: 'fs',
    action: 'find',
    about: 'Find files by part of their name; the letters may have gaps.',
    params: params('query*'),
    run: findFuzzy,
  },
  {
    module: 'fs',
    action: 'read-many',
    about: 'Read several text files; each has its own outcome.',
    params: params('paths*:json'),
    run: readMany,
  },
  {
    module: 'fs',
    action: 'code-defs',
    about: 'List the symbols that a source file defines.',
    params: params('path*'),
    run: calls('list_symbols', ({ path }) => ({ filePath: path })),
  },
];

const unpatchable: ReadonlySet<string> = new Set(['BINARY_FILE', 'FILE_TOO_LARGE', 'PATCH_FAILED', 'NO_VALID_DIFF']);

/** Within the size of a command's answer, so that the way to read on is told in lines. */
async function readPart({ path, ...part }: Params, ports: ActionPorts): Promise<Result<unknown>> {
  const warnings: string[] = [];
  const read = await callTool({ ...ports, warn: (text) => warnings.push(text) }, 'read_file', {
    filePath: path,
    ...part,
  });
  const text = content(read);
  const clipped = clipText(text.ok && typeof text.value === 'string' ? text.value : '', maxContent);
  // Of a file that the tool has cut as well, its last word names another line to read on from.
  const isCutTwice = clipped.truncated && read.ok && fields(read.value)['truncated'] === true;
  for (const warning of isCutTwice ? warnings.slice(0, -1) : warnings) ports.warn(warning);
  if (!text.ok || typeof text.value !== 'string') return text;
  if (clipped.truncated && read.ok) {
    const { startLine, lineCount } = fields(read.value);
    const last = Number(startLine) + splitLines(clipped.text).length - 1;
    ports.warn(`Lines ${String(startLine)} to ${last} of ${String(lineCount)} are here; read on with --offset ${last}`);
  }
  return ok(clipped.text);
}

function content(read: Result<unknown>): Result<unknown> {
  if (!read.ok) return read;
  const { content: text } = fields(read.value);
  return ok(typeof text === 'string' ? text : read.value);
}

/** The path of `name` in the folder `path`. A name that is empty or a dot would mean the folder itself. */
function joinPath(given: Params): Result<string> {
  const name = textOf(given, 'name').replace(/\/+$/, '');
  const folder = textOf(given, 'path').replace(/(?<=.)\/+$/, '');
  const bad = name === '' || name.includes('\0') || name.split(/[\\/]/).some((part) => part === '.' || part === '..');
  if (bad) return fail('VALIDATION_ERROR', `--name must name something inside --path, not ${JSON.stringify(name)}`);
  if (folder === '' || folder === '.') return ok(name);
  return ok(folder === '/' ? `/${name}` : `${folder}/${name}`);
}

/** A path that is inside the project (the look decides) and where nothing is yet. */
async function freePath(given: Params, ports: ActionPorts): Promise<Result<string>> {
  const path = joinPath(given);
  if (!path.ok) return path;
  const info = await callTool(ports, 'get_file_info', { filePath: path.value });
  if (info.ok) return fail('FILE_EXISTS', `${path.value} exists already`);
  return info.error.code === 'FILE_NOT_FOUND' ? path : info;
}

async function existingPath(given: Params, ports: ActionPorts, kind: 'file' | 'directory'): Promise<Result<string>> {
  const path = joinPath(given);
  if (!path.ok) return path;
  const info = await callTool(ports, 'get_file_info', { filePath: path.value });
  if (!info.ok) return info;
  const isFolder = fields(info.value)['type'] === 'directory';
  if (isFolder === (kind === 'directory')) return path;
  return isFolder
    ? fail('NOT_A_FILE', `${path.value} is a folder`)
    : fail('NOT_A_DIRECTORY', `${path.value} is not a folder`);
}

async function grep(given: Params, ports: ActionPorts): Promise<Result<unknown>> {
  const { path, include, exclude } = given;
  const pattern = textOf(given, 'query').replaceAll(/[\\^$.*+?()[\]{}|/-]/g, (char) =>
    char === '-' ? '\\x2d' : `\\${char}`,
  );
  const found = await callTool(ports, 'grep_search', {
    path,
    pattern,
    filePattern: include,
  });
  if (!found.ok || exclude === undefined) return found;
  const excluded = await callTool(ports, 'search_files', { pattern: exclude, path });
  if (!excluded.ok) return excluded;
  const names = new Set(listOf(fields(excluded.value)['files']));
  const all = fields(found.value);
  const matches = listOf(all['matches']).filter((match) => !names.has(fields(match)['file']));
  const files = new Set(matches.map((match) => fields(match)['file']));
  return ok({ ...all, matches, totalMatches: matches.length, filesWithMatches: files.size });
}

/** Names that hold the letters in their order, those with the whole word and the short ones first. */
async function findFuzzy(given: Params, ports: ActionPorts): Promise<Result<unknown>> {
  const query = textOf(given, 'query').trim();
  if (query === '' || query.length > 100) return fail('VALIDATION_ERROR', '--query must have 1 to 100 characters');
  const letters = [...query].map(eitherCase).join('*');
  const found = await callTool(ports, 'search_files', {
    pattern: query.includes('/') ? `**/*${letters}*` : `*${letters}*`,
  });
  if (!found.ok) return found;
  const wanted = query.toLowerCase();
  const rank = (file: string): number => {
    const name = file.slice(file.lastIndexOf('/') + 1).toLowerCase();
    if (name === wanted) return 0;
    if (name.startsWith(wanted)) return 1;
    return name.includes(wanted) ? 2 : 3;
  };
  const data = fields(found.value);
  const files = listOf(data['files']).filter((file) => typeof file === 'string');
  return ok({ ...data, files: files.toSorted((a, b) => rank(a) - rank(b) || a.length - b.length) });
}

function eitherCase(letter: string): string {
  const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
  if (lower !== upper && lower.length === 1 && upper.length === 1) return `[${lower}${upper}]`;
  return /[*?[\]{}!\\,]/.test(letter) ? '?' : letter;
}

async function readMany(given: Params, ports: ActionPorts): Promise<Result<unknown>> {
  const paths = listOf(given['paths']).filter((path) => typeof path === 'string');
  if (!Array.isArray(given['paths']) || paths.length !== given['paths'].length)
    return fail('VALIDATION_ERROR', '--paths must be an array of strings');
  if (paths.length > maxFiles) return fail('VALIDATION_ERROR', `--paths may name at most ${maxFiles} files`);
  const files: unknown[] = [];
  for (const path of paths) {
    const read = content(await callTool(ports, 'read_file', { filePath: path }));
    files.push(read.ok ? { path, ok: true, content: read.value } : { path, ok: false, error: read.error });
  }
  return ok({ files });
}
