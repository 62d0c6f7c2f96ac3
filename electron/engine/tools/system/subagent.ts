import * as z from 'zod';
import { type SubagentEnd, subagentEndSchema } from '../../../../shared/model/subagent.ts';
import { fail, ok } from '../../../../shared/result.ts';
import { gitErrors, unique } from '../frame/errorGroups.ts';
import { defineTool, type PlannedIntent, readIntent } from '../frame/tool.ts';

/** Starts a session that works on a part of the task with a context of its own, and answers with its report. */
export const subagent = defineTool({
  name: 'subagent',
  category: 'agent',
  permission: 'none',
  errors: unique('TIMEOUT', 'LIMIT_EXCEEDED', 'PROVIDER_ERROR', 'UNAVAILABLE', 'FILE_WRITE_ERROR', ...gitErrors),
  about:
    'Let an agent with its own context, which knows only this task, do it and report. It reads; with edits it works in a git worktree, whose changes you then bring_home. Start several at once.',
  input: () =>
    z.object({
      title: z.string().trim().min(1).max(80),
      task: z.string().trim().min(1).max(20_000),
      edits: z.boolean().optional(),
    }),
  output: () => subagentEndSchema.unwrap(),
  text: reportText,
  async plan({ title, task, edits = false }) {
    const summary = `Subagent: ${title}`;
    const preview = { kind: 'text', title: 'Its task', text: task } as const;
    const intent: PlannedIntent = edits
      ? { risk: 'moderate', effects: ['writes'], targets: [], summary: `${summary} (in a lane of its own)`, preview }
      : { ...readIntent(summary), preview };
    return ok({ intent, plan: { title, task, edits } });
  },
  async run(wish, { subagents, call, signal, output }) {
    if (!subagents)
      return fail('UNAVAILABLE', 'No subagent can be started here: only the agent of a session starts some, one deep.');
    return subagents.run(wish, { call, signal, output });
  },
});

/** The report, and where its changes are. */
export function reportText({ report, lane }: SubagentEnd): string {
  if (!lane) return report;
  const { name, files, additions, deletions } = lane;
  return `${report}\n\nIt changed ${files === 1 ? '1 file' : `${files} files`} (+${additions} −${deletions}) in the lane ${name}. Propose them with bring_home {"picks": [{"lane": "${name}"}]}.`;
}
