import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ok } from '../../../../shared/result.ts';
import { bytesFileOf, encodeText, textFileOf } from '../textFile.ts';
import { parsePatch } from './parsePatch.ts';
import type { PatchReader } from './patchTable.ts';
import { planPatch } from './planPatch.ts';

const folder = path.join(process.env['VISE_CORPORA'] ?? path.resolve('../shared/corpora'), 'unified-diff');
const present = existsSync(folder);

function rowsOf<T>(name: string): readonly T[] {
  if (!present) return [];
  return readFileSync(path.join(folder, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

type Value =
  | string
  | { readonly b64: string }
  | { readonly exec: true; readonly data: string }
  | { readonly symlink: string };
type Tree = Readonly<Record<string, Value>>;

function bytesOf(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.from(value);
  if ('b64' in value) return Buffer.from(value.b64, 'base64');
  return Buffer.from('exec' in value ? value.data : '');
}

function readerOf(tree: Tree): PatchReader {
  return async (name) => {
    const value = tree[name];
    if (value === undefined) return ok(null);
    const file = bytesFileOf(bytesOf(value), {
      mode: typeof value === 'object' && 'exec' in value ? 0o755 : 0o644,
      modifiedAt: '2026-01-01T00:00:00.000Z',
    });
    const text = textFileOf(file);
    return ok(text.ok ? text.value : file);
  };
}

/** The tree after the patch, as bytes in hex; or the code of the refusal. */
async function patched(before: Tree, patch: string): Promise<Record<string, string> | string> {
  const parsed = parsePatch(patch);
  if (!parsed.ok) return parsed.error.code;
  const planned = await planPatch(parsed.value, readerOf(before));
  if (!planned.ok) return `${planned.error.code} ${JSON.stringify(planned.error.details)?.slice(0, 600)}`;
  const tree = new Map(Object.entries(before).map(([name, value]) => [name, bytesOf(value).toString('hex')]));
  for (const change of planned.value.changes) {
    tree.delete(change.oldPath ?? change.path);
  }
  for (const { path: name, after } of planned.value.changes) {
    if (after === null) continue;
    const bytes = 'bytes' in after ? ok(after.bytes) : encodeText(after.text, after.like);
    if (!bytes.ok) return bytes.error.code;
    tree.set(name, Buffer.from(bytes.value).toString('hex'));
  }
  return Object.fromEntries(tree);
}

interface Commit {
  readonly id: string;
  readonly before: Tree;
  readonly patch: string;
  readonly after: Tree;
  readonly git_apply_exit: number;
  readonly removed: readonly string[];
}

const commits = [...rowsOf<Commit>('real-commits.jsonl'), ...rowsOf<Commit>('real-commits-special.jsonl')];
const hasLink = (row: Commit) => /^(?:new file|deleted file|old|new) mode 1[26]0000$/m.test(row.patch);

describe.skipIf(!present)(`real commits (skipped when ${folder} is missing)`, () => {
  test('there are some', () => expect(commits.length).toBeGreaterThan(200));
  test.each(commits)('$id', async (row) => {
    const result = await patched(row.before, row.patch);
    if (hasLink(row)) expect(result).toMatch(/^PATCH_FAILED .*(?:symlink|submodule)/);
    else if (/^(?:GIT binary patch|Binary files )/m.test(row.patch)) expect(result).toMatch(/^BINARY_FILE/);
    else {
      const kept = Object.fromEntries(
        Object.entries(row.before).filter(([name]) => !(name in row.after) && !row.removed.includes(name)),
      );
      expect(result).toEqual(
        Object.fromEntries(
          Object.entries({ ...kept, ...row.after }).map(([name, value]) => [name, bytesOf(value).toString('hex')]),
        ),
      );
    }
  });
});

interface JsdiffRow {
  readonly id: string;
  readonly title: string;
  readonly fn: 'applyPatch' | 'parsePatch';
  readonly patch: string;
  readonly source?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly expected: unknown;
  readonly error: unknown;
}

const jsdiffRows = rowsOf<JsdiffRow>('jsdiff-apply-parse.jsonl');
const jsdiff = jsdiffRows.filter((row) => row.fn === 'applyPatch');

/** Where this project decides otherwise, and by which rule of its own specification. */
const optionOfItsOwn =
  'an option of jsdiff asks for it; here fuzz is up to two outer context lines and line ends follow the file';
const ruledOtherwise: Readonly<Record<string, string>> = {
  'jsdiff/011': 'a header without hunks is no diff: NO_VALID_DIFF',
  'jsdiff/028': optionOfItsOwn,
  'jsdiff/029': optionOfItsOwn,
  'jsdiff/030': optionOfItsOwn,
  'jsdiff/031': optionOfItsOwn,
  'jsdiff/044': 'hunks that share lines are refused, as by git apply',
  'jsdiff/053': 'CRLF diffs are accepted and written with the line ends of the file',
  'jsdiff/055': optionOfItsOwn,
  'jsdiff/058': optionOfItsOwn,
  'jsdiff/059': optionOfItsOwn,
  'jsdiff/060': optionOfItsOwn,
  'jsdiff/061': optionOfItsOwn,
  'jsdiff/064': optionOfItsOwn,
  'jsdiff/065': 'a missing newline at the end is exact on both sides, as for git apply',
};

describe.skipIf(!present)(`jsdiff's own applications (skipped when ${folder} is missing)`, () => {
  test.each(
    jsdiff.map((row) => ({
      ...row,
      because: ruledOtherwise[row.id] ? ` (decided otherwise: ${ruledOtherwise[row.id]})` : '',
    })),
  )('$id $title$because', async (row) => {
    const name = 'file';
    const parsed = parsePatch(row.patch);
    const reader: PatchReader = async () => readerOf({ [name]: row.source ?? '' })(name);
    const planned = parsed.ok ? await planPatch(parsed.value, reader) : parsed;
    const after = planned.ok ? planned.value.changes[0]?.after : undefined;
    const result = planned.ok ? (after && 'text' in after ? after.text : row.source) : false;
    const rule = ruledOtherwise[row.id];
    if (rule === undefined)
      expect(planned.ok ? result : [result, planned.error]).toEqual(
        row.error ? [false, expect.anything()] : row.expected === false ? [false, expect.anything()] : row.expected,
      );
    else expect(result).not.toEqual(row.expected);
  });
});

const isNamed = ({ patch }: JsdiffRow) => /^(?:--- |diff --git )/m.test(patch);
const readings = jsdiffRows.filter((row) => row.fn === 'parsePatch' && isNamed(row));

describe.skipIf(!present)(`jsdiff's own readings (skipped when ${folder} is missing)`, () => {
  test.each(readings)('$id $title', ({ patch, expected, error }) => {
    const parsed = parsePatch(patch);
    const hunks = parsed.ok ? parsed.value.files.flatMap((file) => file.hunks) : [];
    // What jsdiff refuses is refused here too, or is in doubt until a file proves its place.
    if (error) return expect(!parsed.ok || hunks.some(({ doubt }) => doubt !== undefined)).toBe(true);
    const files = expected as readonly { readonly hunks: readonly { readonly lines: readonly string[] }[] }[];
    const lines = files.flatMap((file) =>
      file.hunks.map((hunk) => hunk.lines.filter((line) => !line.startsWith('\\'))),
    );
    return expect(hunks.map((hunk) => hunk.lines)).toEqual(
      lines.map((hunk) => hunk.map((line) => (line === '' ? ' ' : line))),
    );
  });
});
