import * as z from 'zod';
import { ok } from '../../../../shared/result.ts';
import { entryTypeSchema } from '../frame/entryType.ts';
import { defineTool, readIntent } from '../frame/tool.ts';

export const getFileInfo = defineTool({
  name: 'get_file_info',
  category: 'file',
  permission: 'none',
  errors: ['PATH_TRAVERSAL_DETECTED', 'FILE_NOT_FOUND'],
  about: 'Type, size, times, mode and (for text) encoding and number of lines of a file, a folder or a link itself.',
  input: () => z.object({ filePath: z.string() }),
  output: () =>
    z.object({
      filePath: z.string(),
      type: entryTypeSchema,
      size: z.number(),
      modified: z.string(),
      created: z.string(),
      mode: z.string(),
      isReadable: z.boolean(),
      isWritable: z.boolean(),
      isBinary: z.boolean(),
      lineCount: z.number().optional(),
      encoding: z.string().optional(),
      linkTarget: z.string().optional(),
    }),

  async plan({ filePath }, look) {
    const facts = await look.stat(filePath);
    if (!facts.ok) return facts;
    const { path } = facts.value;
    return ok({ intent: readIntent(`Look at ${path}`, path), plan: { path } });
  },

  async run({ path }, { look, signal }) {
    const facts = await look.stat(path);
    if (!facts.ok) return facts;
    const { type, sizeBytes, mode, modifiedAt, createdAt, isReadable, isWritable, linkTarget } = facts.value;
    const lines = type === 'file' ? await look.readLines(path, { limit: 1, signal }) : undefined;
    if (lines && !lines.ok && lines.error.code === 'CANCELLED') return lines;
    return ok({
      filePath: path,
      type,
      size: sizeBytes,
      modified: modifiedAt,
      created: createdAt,
      mode: mode.toString(8).padStart(4, '0'),
      isReadable,
      isWritable,
      isBinary: lines !== undefined && !lines.ok && lines.error.code === 'BINARY_FILE',
      lineCount: lines?.ok ? lines.value.lineCount : undefined,
      encoding: lines?.ok ? lines.value.encoding : undefined,
      linkTarget,
    });
  },
});
