import * as z from 'zod';
import { fail, ok } from '../../../../shared/result.ts';
import { splitLines } from '../../../../shared/text/lines.ts';
import { maxFileBytes } from '../../workspace/textFile.ts';
import { clipText } from '../frame/clipText.ts';
import { textErrors } from '../frame/errorGroups.ts';
import { defineTool, readIntent } from '../frame/tool.ts';

export function readFileOutput() {
  return z.object({
    filePath: z.string(),
    content: z.string(),
    startLine: z.number(),
    endLine: z.number(),
    lineCount: z.number(),
    size: z.number(),
    encoding: z.string(),
    truncated: z.boolean(),
    lastModified: z.string(),
  });
}

export const readFile = defineTool({
  name: 'read_file',
  category: 'file',
  permission: 'none',
  errors: textErrors,
  pseudo: 'fs read',
  about:
    "Read a text file, or a part of it: offset is the number of lines to skip, limit the number of lines to read. lineNumbers puts each line's number and a tab in front of it.",
  input: () =>
    z.object({
      filePath: z.string(),
      offset: z.int().min(0).optional(),
      limit: z.int().min(1).optional(),
      lineNumbers: z.boolean().optional(),
    }),
  output: readFileOutput,

  text: ({ content, startLine, endLine, lineCount, encoding }) => {
    const part = startLine > 1 || endLine < lineCount ? [`lines ${startLine}-${endLine} of ${lineCount}`] : [];
    const notes = [...part, ...(encoding === 'utf-8' ? [] : [encoding])];
    return notes.length === 0 ? content : `[${notes.join(', ')}]\n${content}`;
  },

  leftOut({ truncated, content, startLine, endLine, lineCount, encoding }) {
    if (encoding === 'unknown')
      return 'The encoding of the file is not certain, so what is not ASCII may be wrong here';
    if (!truncated) return undefined;
    return /[\r\n]$/.test(content)
      ? `Lines ${startLine} to ${endLine} of ${lineCount} are here; read on with offset ${endLine}`
      : `Only the beginning of line ${endLine} of ${lineCount} is here: it is too long. Read on with offset ${endLine}, or look into the line with grep_search`;
  },

  async plan({ filePath, offset = 0, limit, lineNumbers = false }, look) {
    const found = await look.resolve(filePath);
    if (!found.ok) return found;
    const { relative, realRelative } = found.value;
    if (!found.value.exists) return fail('FILE_NOT_FOUND', `${realRelative} does not exist`);
    return ok({
      intent: readIntent(`Read ${relative}`, relative),
      plan: { path: relative, offset, limit, lineNumbers },
    });
  },

  async run({ path, offset, limit, lineNumbers }, hands) {
    const read = await hands.look.readLines(path, {
      offset,
      signal: hands.signal,
      ...(limit === undefined ? { maxFileBytes } : { limit }),
    });
    if (!read.ok) return read;
    const { startLine, endLine, lineCount, sizeBytes, encoding, modifiedAt, truncated } = read.value;
    hands.bring({ files: [path] });
    const clipped = clipText(read.value.content);
    const lines = splitLines(clipped.text);
    return ok({
      filePath: path,
      content: lineNumbers ? lines.map((line, at) => `${startLine + at}\t${line}`).join('') : clipped.text,
      startLine,
      endLine: clipped.truncated ? startLine + lines.length - 1 : endLine,
      lineCount,
      size: sizeBytes,
      encoding,
      truncated: truncated || clipped.truncated,
      lastModified: modifiedAt,
    });
  },
});
