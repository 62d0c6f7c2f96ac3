import * as z from 'zod';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { Look } from '../../workspace/look.ts';
import type { ProposedChange } from '../../workspace/proposedChange.ts';
import type { ResolvedPath } from '../../workspace/sandbox.ts';
import {
  type BytesFile,
  dominantEol,
  encodeText,
  maxFileBytes,
  plainStyle,
  type TextFile,
  textFileOf,
} from '../../workspace/textFile.ts';
import { reviewLines, reviewSchema } from '../frame/describeVerdict.ts';
import { unique, writeErrors } from '../frame/errorGroups.ts';
import { unwritable } from '../frame/planTextEdit.ts';
import { applyReviewed } from '../frame/reviewed.ts';
import { changeIntent, defineTool } from '../frame/tool.ts';

export const writeFile = defineTool({
  name: 'write_file',
  category: 'file',
  permission: 'dangerous',
  errors: unique(...writeErrors, 'UNAVAILABLE', 'FILE_TOO_LARGE', 'LIMIT_EXCEEDED'),
  pseudo: 'fs write',
  about:
    'Write a whole file; folders above it are made. createBackup keeps the old content beside it as <file>.bak. To change a part of a file, use edit_file.',
  input: () => z.object({ filePath: z.string(), content: z.string(), createBackup: z.boolean().optional() }),
  output: () =>
    z.object({
      filePath: z.string(),
      bytesWritten: z.number(),
      created: z.boolean(),
      backupPath: z.string().optional(),
      /** In which way the bytes differ from the content as it was given. */
      kept: z.string().optional(),
      review: reviewSchema.optional(),
    }),
  text: ({ filePath, bytesWritten, created, backupPath, kept, review }) =>
    [
      `${created ? 'Created' : 'Wrote'} ${filePath}, ${bytesWritten} bytes`,
      ...(backupPath === undefined ? [] : [`The old content is in ${backupPath}.`]),
      ...(kept === undefined ? [] : [kept]),
      ...reviewLines(review),
    ].join('\n'),

  async plan({ filePath, content, createBackup = false }, look) {
    const target = await findTarget(look, filePath);
    if (!target.ok) return target;
    const { place, before } = target.value;
    const path = place.relative;
    const after = contentLike(content, before);
    const { kept } = after;
    const wrong = unwritable(after.text, after.like, 'content');
    if (wrong) return wrong;
    const size = bytesOf({ after });
    if (size > maxFileBytes)
      return fail('FILE_TOO_LARGE', `The content has ${size} bytes; the limit is ${maxFileBytes}`);
    const backupPath = createBackup && before ? await freeBackupName(look, path) : undefined;
    const changes: ProposedChange[] = [
      { path, real: place.real, status: before ? 'modified' : 'added', before, after },
      ...(backupPath !== undefined && before ? [backupOf(backupPath, before)] : []),
    ];
    const summary = `${before ? 'Overwrite' : 'Create'} ${path}`;
    return ok({ intent: changeIntent(summary, changes), plan: { path, changes, created: !before, backupPath, kept } });
  },

  async run({ path, changes: proposed, created, backupPath, kept: manner }, hands, verdict) {
    const written = await applyReviewed(proposed, hands, verdict);
    if (!written.ok) return written;
    const { changes, review } = written.value;
    const kept = changes.find((change) => change.path === path);
    const hasBackup = changes.some((change) => change.path === backupPath);
    return ok({
      filePath: path,
      bytesWritten: kept ? bytesOf(kept) : 0,
      created: created && kept !== undefined,
      backupPath: hasBackup ? backupPath : undefined,
      kept: kept && manner,
      review,
    });
  },
});

interface WriteTarget {
  readonly place: ResolvedPath;
  readonly before: TextFile | BytesFile | null;
}

async function findTarget(look: Look, filePath: string): Promise<Result<WriteTarget>> {
  const found = await look.resolve(filePath);
  if (!found.ok) return found;
  const { relative, kind, isLink } = found.value;
  if (kind === 'missing') {
    if (isLink || filePath.endsWith('/'))
      return fail('NOT_A_FILE', `${relative} is ${isLink ? 'a link that leads nowhere' : 'the name of a folder'}`);
    const blocker = await blockingFile(look, found.value);
    if (blocker !== undefined)
      return fail('FILE_WRITE_ERROR', `${relative} cannot be made: ${blocker} is a file, not a folder`);
    return ok({ place: found.value, before: null });
  }
  const bytes = await look.readBytes(relative);
  if (!bytes.ok) return bytes;
  const text = textFileOf(bytes.value);
  return ok({
    place: found.value,
    before: text.ok ? { ...text.value, real: bytes.value.real } : bytes.value,
  } as WriteTarget);
}

/** The nearest thing above that exists, when it is no folder. */
async function blockingFile(look: Look, place: ResolvedPath): Promise<string | undefined> {
  const names = place.relative.split('/').slice(0, -1);
  for (let length = names.length; length > 0; length -= 1) {
    const above = await look.resolve(names.slice(0, length).join('/'));
    if (!above.ok || above.value.kind === 'missing') continue;
    return above.value.kind === 'directory' ? undefined : above.value.relative;
  }
  return undefined;
}

/**
 * The content in the manner of the file it replaces: models write `\n` only, so a file that ends all its lines with
 * `\r\n` keeps them; the encoding stays unless it lacks a character.
 */
function contentLike(content: string, before: TextFile | BytesFile | null) {
  if (!before || !('text' in before))
    return { text: content, like: { ...plainStyle, eol: dominantEol(content) }, kept: undefined };
  const endsInCrlf = before.text.includes('\r\n') && !/(?<!\r)\n|\r(?!\n)/.test(before.text);
  const takesCrlf = endsInCrlf && content.includes('\n') && !content.includes('\r');
  const text = takesCrlf ? content.replaceAll('\n', '\r\n') : content;
  const like = encodeText(text, before).ok ? before : plainStyle;
  const kept = [
    takesCrlf ? 'The lines of the file end with CRLF, as before.' : '',
    like === before
      ? before.encoding === 'utf-8'
        ? ''
        : `The file is ${before.encoding}, as before.`
      : `The file was ${before.encoding}, which lacks a character of the content: it is UTF-8 now.`,
  ].filter((sentence) => sentence !== '');
  return {
    text: before.bom && text.startsWith('\ufeff') ? text.slice(1) : text,
    like,
    kept: kept.length > 0 ? kept.join(' ') : undefined,
  };
}

async function freeBackupName(look: Look, path: string): Promise<string> {
  for (let number = 0; ; number += 1) {
    const name = number === 0 ? `${path}.bak` : `${path}.bak.${number}`;
    const found = await look.stat(name);
    if (!found.ok) return name;
  }
}

function backupOf(path: string, before: TextFile | BytesFile): ProposedChange {
  const after = 'text' in before ? { text: before.text, like: before } : { bytes: before.bytes };
  return { path, status: 'added', before: null, after };
}

function bytesOf({ after }: Pick<ProposedChange, 'after'>): number {
  if (after === null) return 0;
  if ('bytes' in after) return after.bytes.length;
  const encoded = encodeText(after.text, after.like);
  return encoded.ok ? encoded.value.length : 0;
}
