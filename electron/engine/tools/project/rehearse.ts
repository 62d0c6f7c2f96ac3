import * as z from 'zod';
import {
  type Check,
  findingLine,
  findingSchema,
  type Rehearsal,
  rehearsalLine,
  triedCheckSchema,
} from '../../../../shared/model/rehearsal.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { replaceExact } from '../../workspace/edits.ts';
import type { Look } from '../../workspace/look.ts';
import type { ProposedChange } from '../../workspace/proposedChange.ts';
import { plainStyle } from '../../workspace/textFile.ts';
import { commandErrors, textErrors, unique } from '../frame/errorGroups.ts';
import { defineTool, type Hands, type PlannedIntent, type Tool } from '../frame/tool.ts';
import { planCommand } from '../shell/commandIntent.ts';
import type { TaskPort } from '../shell/taskPort.ts';

/** What tries edits on a copy of the project. */
export interface RehearsalPort {
  /** Those that the settings choose. */
  checks(changes: readonly ProposedChange[]): Promise<readonly Check[]>;
  /** Errors: those of making the copy. */
  rehearse(changes: readonly ProposedChange[], checks: readonly Check[], hands: Hands): Promise<Result<Rehearsal>>;
}

interface Plan {
  readonly changes: readonly ProposedChange[];
  readonly checks: readonly Check[];
}

/** Tries edits before they are proposed: the project's checks on a copy that holds them. Nothing of the project is written. */
export function createRehearse(port: RehearsalPort, tasks: TaskPort): Tool {
  return defineTool({
    name: 'rehearse',
    category: 'shell',
    permission: 'dangerous',
    errors: unique(
      ...textErrors,
      ...commandErrors,
      'STRING_NOT_FOUND',
      'MULTIPLE_MATCHES',
      'LIMIT_EXCEEDED',
      'FILE_WRITE_ERROR',
      'UNAVAILABLE',
    ),
    about:
      'Try edits on a copy of the project before you propose them: runs its type check, linter and tests there and tells what is new. Writes nothing.',
    input: () =>
      z.object({
        edits: z
          .array(z.object({ filePath: z.string(), oldStr: z.string().min(1).optional(), newStr: z.string() }))
          .min(1)
          .max(100),
        /** Command lines in place of the usual checks. */
        checks: z.array(z.string().trim().min(1)).min(1).max(20).optional(),
      }),
    output: () =>
      z.object({
        line: z.string(),
        checks: z.array(triedCheckSchema),
        findings: z.array(findingSchema),
      }),
    text: ({ line, findings }) => [line, ...findings.map(findingLine)].join('\n'),
    async plan({ edits, checks: given }, look) {
      const changes = await editedFiles(edits, look);
      if (!changes.ok) return changes;
      const checks =
        given?.map((command) => ({ name: command.split(' ', 2).join(' '), command })) ??
        (await port.checks(changes.value));
      if (checks.length === 0)
        return fail('UNAVAILABLE', 'No check of this project is known. Give command lines in checks.');
      const commands: PlannedIntent[] = [];
      for (const { command } of checks) {
        const planned = await planCommand({ command }, look, tasks);
        if (!planned.ok) return planned;
        commands.push(planned.value.intent);
      }
      const [first] = commands;
      const list = checks.map(({ command }) => command);
      const intent: PlannedIntent = {
        risk: 'dangerous',
        effects: ['executes'],
        targets: commands.flatMap(({ targets }) => targets),
        summary: `Try ${edits.length === 1 ? '1 edit' : `${edits.length} edits`} with ${list.join(', ')}`,
        preview:
          first && commands.length === 1
            ? first.preview
            : { kind: 'text', title: 'Runs on a copy of the project', text: list.join('\n') },
      };
      return ok({ intent, plan: { changes: changes.value, checks } });
    },
    async run({ changes, checks }: Plan, hands) {
      const done = await port.rehearse(changes, checks, hands);
      if (!done.ok) return done;
      if (hands.signal.aborted) return fail('CANCELLED', 'The rehearsal was stopped.');
      const findings = done.value.findings.map(({ place: _, ...finding }) => finding);
      return ok({ line: rehearsalLine(done.value), checks: done.value.checks, findings });
    },
  });
}

/** The files as the edits leave them, each on top of the ones before it. Errors: those of `readText` and `replaceExact`. */
async function editedFiles(
  edits: readonly { readonly filePath: string; readonly oldStr?: string | undefined; readonly newStr: string }[],
  look: Look,
): Promise<Result<readonly ProposedChange[]>> {
  const changes = new Map<string, ProposedChange>();
  for (const { filePath, oldStr, newStr } of edits) {
    const place = await look.resolve(filePath);
    if (!place.ok) return place;
    const { relative: path, real } = place.value;
    const known = changes.get(path);
    const read = known ? undefined : await look.readText(path);
    // Whole content may be that of a file which is not there yet.
    const isNew = read !== undefined && !read.ok && read.error.code === 'FILE_NOT_FOUND' && oldStr === undefined;
    if (read && !read.ok && !isNew) return read;
    const before = known ? known.before : read?.ok ? read.value : null;
    const like = known?.after && 'like' in known.after ? known.after.like : read?.ok ? read.value : plainStyle;
    const text = known?.after && 'text' in known.after ? known.after.text : read?.ok ? read.value.text : '';
    const edited = oldStr === undefined ? ok({ text: newStr }) : replaceExact(text, oldStr, newStr, false);
    if (!edited.ok) return edited;
    const after = { text: edited.value.text, like };
    changes.set(path, { path, real, status: before === null ? 'added' : 'modified', before, after });
  }
  return ok([...changes.values()]);
}
