import * as z from 'zod';

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
