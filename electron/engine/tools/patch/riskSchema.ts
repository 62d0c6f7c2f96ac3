import * as z from 'zod';
import type { Immutable } from '../../../../shared/immutable.ts';

/** What is to be looked at twice in a patch. */
export const riskSchema = z.lazy(() =>
  z.object({
    riskLevel: z.enum(['low', 'medium', 'high']),
    warnings: z.array(z.string()),
    isBinary: z.boolean(),
    affectsMultipleFiles: z.boolean(),
    totalChanges: z.number(),
    files: z.array(
      z.object({
        path: z.string(),
        status: z.enum(['added', 'deleted', 'modified', 'renamed', 'copied', 'mode-changed']),
        hunkCount: z.number(),
        additions: z.number(),
        deletions: z.number(),
      }),
    ),
  }),
);

/** For a model: the level, what to look at twice, and a line a file. */
export function riskLines({ riskLevel, warnings, files }: Immutable<z.infer<typeof riskSchema>>): string {
  const lines = files.map(({ path, status, additions, deletions }) => `${status} ${path} +${additions} -${deletions}`);
  return [`risk ${riskLevel}${warnings.length === 0 ? '' : `: ${warnings.join('; ')}`}`, ...lines].join('\n');
}
