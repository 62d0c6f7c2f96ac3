import * as z from 'zod';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { compareBytes } from '../../workspace/byteOrder.ts';
import { compileGlob } from '../../workspace/glob.ts';
import { readFile } from '../file/readFile.ts';
import { writeFile } from '../file/writeFile.ts';
import { defineTool, readIntent, type Tool } from '../frame/tool.ts';
import { applyUnifiedDiff } from '../patch/applyUnifiedDiff.ts';
import { grepSearch } from '../search/grepSearch.ts';
import { adaptTool } from './adaptTool.ts';
import { diffOfOneFile } from './diffOfOneFile.ts';

/** Bounds: files listed, bytes of a file, hits of a search. */
const maxListed = 200;
const maxReadBytes = 200_000;
const maxHits = 100;
/** Names looked at before the first 200 in path order are chosen. */
const maxWalked = 20_000;

/** true, "true", "1", "yes" and "on" all say yes. */
const flag = () => z.union([z.boolean(), z.string().transform((word) => /^(true|1|yes|on)$/i.test(word.trim()))]);

const listFiles = defineTool({
  name: 'list_files',
  category: 'file',
  permission: 'none',
  about: 'The files below a folder. pattern is a glob on names.',
  input: () => z.object({ path: z.string().optional(), recursive: flag().optional(), pattern: z.string().optional() }),
  output: () => z.object({ ok: z.literal(true), items: z.array(z.string()), truncated: z.boolean() }),
  async plan({ path = '.', recursive = true, pattern }, look) {
    const found = await look.resolve(path);
    if (!found.ok) return found;
    const { kind, relative } = found.value;
    if (kind !== 'file' && kind !== 'directory') return fail('FILE_NOT_FOUND', `Path does not exist: ${path}`);
    return ok({ intent: readIntent(`List ${relative}`, relative), plan: { relative, kind, recursive, pattern } });
  },
  async run({ relative, kind, recursive, pattern }, { look, signal }) {
    if (kind === 'file') return ok({ ok: true as const, items: [relative], truncated: false });
    const glob = pattern === undefined ? undefined : compileGlob(pattern);
    const walked = await look.walk(relative, { signal, maxEntries: maxWalked, ...(recursive ? {} : { maxDepth: 1 }) });
    if (!walked.ok) return walked;
    const items: string[] = [];
    for await (const { path, name, type } of walked.value)
      if (type === 'file' && (glob?.matches(name) ?? true)) items.push(path);
    items.sort(compareBytes);
    return ok({ ok: true as const, items: items.slice(0, maxListed), truncated: items.length > maxListed });
  },
});

/**
 * The tools with the names, arguments and results that the text protocol teaches. Each is a view of the real
 * tool: permission, review and undo are the real one's. What a model writes in the real tool's own arguments works as well.
 */
export const protocolTools: readonly Tool[] = [
  listFiles,
  adaptTool({
    inner: readFile,
    name: 'read_file',
    about: 'Read a text file.',
    input: () => z.object({ path: z.string() }),
    // A limit of lines lets a file of any size be read from its beginning.
    toInner: ({ path }) => ok({ filePath: path, limit: maxReadBytes }),
    toOuter: ({ path }, data) => {
      const { content, truncated } = data as { readonly content: string; readonly truncated: boolean }; // read_file's own answer
      const cut = firstBytes(content, maxReadBytes);
      return { ok: true, path, content: cut, truncated: truncated || cut.length < content.length };
    },
  }),
  adaptTool({
    inner: grepSearch,
    name: 'search_text',
    about: 'Find a text in the files, exactly as written.',
    input: () => z.object({ keyword: z.string().min(1), path: z.string().optional() }),
    toInner: ({ keyword, path }) => ok({ pattern: keyword.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), path }),
    toOuter: (_input, data) => {
      // grep_search's own answer
      const { matches, truncated } = data as {
        readonly matches: readonly { readonly file: string; readonly line: number; readonly text: string }[];
        readonly truncated: boolean;
      };
      const results = matches
        .slice(0, maxHits)
        .map(({ file, line, text }) => ({ path: file, line, text: text.trim() }));
      return { ok: true, results, truncated: truncated || matches.length > maxHits };
    },
  }),
  adaptTool({
    inner: writeFile,
    name: 'write_file',
    about: 'Write a whole file; folders above it are made.',
    input: () => z.object({ path: z.string(), content: z.string() }),
    toInner: ({ path, content }) => ok({ filePath: path, content }),
    toOuter: ({ path }, data) => ({ ok: true, path, ...reviewOf(data) }),
  }),
  adaptTool({
    inner: applyUnifiedDiff,
    name: 'apply_diff',
    about: 'Change one file by a unified diff.',
    input: () => z.object({ path: z.string(), diff: z.string() }),
    toInner: ({ path, diff }): Result<unknown> => {
      const whole = diffOfOneFile(path, diff);
      return whole.ok ? ok({ diff: whole.value }) : whole;
    },
    toOuter: ({ path }, data) => ({ ok: true, path, ...reviewOf(data) }),
  }),
];

/** What the person changed or left out must reach the model in any mode. */
function reviewOf(data: unknown): { readonly review?: unknown } {
  return typeof data === 'object' && data !== null && 'review' in data ? { review: data.review } : {};
}

function firstBytes(text: string, limit: number): string {
  const bytes = new TextEncoder().encode(text);
  // `stream` holds back a character that the limit cuts in two.
  return bytes.length <= limit ? text : new TextDecoder().decode(bytes.subarray(0, limit), { stream: true });
}
