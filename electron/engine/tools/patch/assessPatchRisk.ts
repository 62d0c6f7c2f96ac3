import * as z from 'zod';
import { fail, ok } from '../../../../shared/result.ts';
import { assessRisk } from '../../workspace/patch/assessRisk.ts';
import { parsePatch } from '../../workspace/patch/parsePatch.ts';
import { defineTool, readIntent } from '../frame/tool.ts';
import { riskLines, riskSchema } from './riskSchema.ts';

export const assessPatchRisk = defineTool({
  name: 'assess_patch_risk',
  category: 'patch',
  permission: 'none',
  errors: ['NO_VALID_DIFF', 'PATCH_FAILED', 'LIMIT_EXCEEDED'],
  about: 'What a patch would touch and what to look at twice in it. Changes nothing.',
  input: () => z.object({ diff: z.string() }),
  output: () => riskSchema.unwrap(),
  text: riskLines,

  async plan({ diff }) {
    const patch = parsePatch(diff);
    if (!patch.ok) return patch;
    const doubt = patch.value.files.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.doubt ?? []))[0];
    if (doubt) {
      const message = `${doubt.why}. apply_unified_diff with dryRun and assessRisk tells whether the files prove its place`;
      return fail('PATCH_FAILED', `Line ${doubt.line} of the patch: ${message}`, [
        { line: doubt.line, reason: 'malformed', message },
      ]);
    }
    return ok({ intent: readIntent('Assess the risk of a patch'), plan: patch.value });
  },

  run: async (patch) => ok(assessRisk(patch)),
});
