import { join } from 'node:path';
import type { Call } from '../../../shared/model/call.ts';
import type { Change, FileVerdict, Hunk } from '../../../shared/model/change.ts';
import type { Intent } from '../../../shared/model/intent.ts';
import { shown, textContent } from './callView.ts';
import { askForm, type Editor, type EditorAnswer, textIn } from './editor.ts';

/** One thing to keep or leave out: a hunk, or a file that has none (binary, only renamed). */
interface Choice {
  readonly change: Change;
  readonly hunk: Hunk | undefined;
  readonly title: string;
}

/** A form with more is read by nobody: files are chosen as a whole then. */
const maxChoices = 40;

export function hunkCount({ preview }: Intent): number {
  return preview.kind === 'changes' ? choicesOf(preview.changes).length : 0;
}

/** What of a change set stays, hunk by hunk: in one form where the client has forms, else one question after the other. */
export async function askHunks(call: Call, editor: Editor): Promise<EditorAnswer | undefined> {
  const preview = call.intent?.preview;
  const choices = preview?.kind === 'changes' ? choicesOf(preview.changes) : [];
  const asked = editor.forms ? await inOneForm(call, choices, editor) : await oneByOne(call, choices, editor);
  if (editor.signal.aborted) return undefined;
  const { kept, reason } = asked;
  if (kept.size === 0) return { decision: 'deny', reason };
  const changes = preview?.kind === 'changes' ? preview.changes : [];
  return { decision: 'once', verdicts: changes.map((change) => verdictOf(change, choices, kept, reason)) };
}

function choicesOf(changes: readonly Change[]): readonly Choice[] {
  const every = changes.flatMap((change): readonly Choice[] =>
    change.hunks.length === 0
      ? [{ change, hunk: undefined, title: change.path }]
      : change.hunks.map((hunk) => ({ change, hunk, title: `${change.path}, ${linesOf(hunk)}` })),
  );
  if (every.length <= maxChoices) return every;
  return changes.map((change) => ({ change, hunk: undefined, title: change.path }));
}

function linesOf({ newStart, newLines, oldStart, oldLines }: Hunk): string {
  if (newLines === 0)
    return oldLines === 1 ? `without line ${oldStart}` : `without lines ${oldStart}–${oldStart + oldLines - 1}`;
  return newLines === 1 ? `line ${newStart}` : `lines ${newStart}–${newStart + newLines - 1}`;
}

function verdictOf(
  change: Change,
  choices: readonly Choice[],
  kept: ReadonlySet<Choice>,
  reason: string | undefined,
): FileVerdict {
  const own = choices.filter((choice) => choice.change === change);
  const left = own.filter((choice) => !kept.has(choice));
  if (left.length === 0) return { path: change.path, keep: 'all' };
  const comments =
    reason === undefined ? undefined : left.map(({ hunk }) => ({ ...(hunk && { hunk: hunk.index }), text: reason }));
  const stays = own.filter((choice) => kept.has(choice)).flatMap(({ hunk }) => hunk?.index ?? []);
  return { path: change.path, keep: stays.length === 0 ? 'none' : stays, comments };
}

interface Asked {
  readonly kept: ReadonlySet<Choice>;
  readonly reason?: string | undefined;
}

const nothing: Asked = { kept: new Set() };

async function inOneForm(call: Call, choices: readonly Choice[], editor: Editor): Promise<Asked> {
  const hunks = choices.map(
    ({ title }, at) => [`keep_${at + 1}`, { type: 'boolean', title: shown(title), default: true }] as const,
  );
  const form = await askForm(editor, call.id, 'Which hunks are kept?', {
    ...Object.fromEntries(hunks),
    reason: { type: 'string', title: 'Why the others are left out (the agent is told)' },
  });
  if (form === undefined) return nothing;
  // A field that is not sent stands as it was shown: kept.
  const kept = choices.filter((_choice, at) => form.get(`keep_${at + 1}`) !== false);
  return { kept: new Set(kept), reason: textIn(form, 'reason') };
}

async function oneByOne(call: Call, choices: readonly Choice[], editor: Editor): Promise<Asked> {
  const { context, session, project, read, signal } = editor;
  const kept = new Set<Choice>();
  for (const [at, choice] of choices.entries()) {
    const { change, hunk, title } = choice;
    const [before, after] = [await read(change.before), await read(change.after)];
    const path = join(project, change.path);
    const content =
      hunk && before !== undefined && after !== undefined
        ? {
            type: 'diff' as const,
            path,
            oldText: lines(before ?? '', hunk.oldStart, hunk.oldLines),
            newText: lines(after ?? '', hunk.newStart, hunk.newLines),
          }
        : textContent(shown(title));
    const { outcome } = await context.request(
      'session/request_permission',
      {
        sessionId: session,
        toolCall: {
          toolCallId: call.id,
          title: shown(`${title} (${at + 1} of ${choices.length})`),
          content: [content],
          locations: [{ path, ...(hunk && { line: Math.max(1, hunk.newStart) }) }],
        },
        options: [
          { optionId: 'keep', name: 'Keep', kind: 'allow_once' },
          { optionId: 'leave', name: 'Leave out', kind: 'reject_once' },
        ],
      },
      { cancellationSignal: signal },
    );
    if (signal.aborted) return nothing;
    if (outcome.outcome === 'selected' && outcome.optionId === 'keep') kept.add(choice);
  }
  return { kept };
}

function lines(text: string, start: number, count: number): string {
  if (count === 0) return '';
  return text
    .split(/(?<=\n)/)
    .slice(start - 1, start - 1 + count)
    .join('');
}
