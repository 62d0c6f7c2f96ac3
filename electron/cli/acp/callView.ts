import { join } from 'node:path';
import type { ToolCall, ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk';
import { type Asked, allAsked } from '../../../shared/model/asked.ts';
import type { AppliedFile, Change } from '../../../shared/model/change.ts';
import type { EventOf } from '../../../shared/model/event.ts';
import type { Intent } from '../../../shared/model/intent.ts';
import { visible } from '../../../shared/text/visible.ts';

/** The text of kept content; null for none (a file that is not there), undefined for what is no text. */
export type ReadContent = (id: string | null) => Promise<string | null | undefined>;

/** A file larger than this is named with its size and not sent whole, UTF-16 units. */
const maxDiffChars = 1_000_000;
/** Of a result that an editor may show for debugging, as JSON. */
const maxRawChars = 20_000;

type Proposed = Pick<EventOf<'tool.proposed'>, 'call' | 'tool' | 'input' | 'intent'>;

/** A proposed call as editors show it: what it would do by its hints, never by its name. */
export async function proposedCall(
  { call, tool, input, intent }: Proposed,
  project: string,
  read: ReadContent,
): Promise<ToolCall> {
  return {
    toolCallId: call,
    title: shown(intent?.summary ?? tool),
    name: tool,
    kind: kindOf(intent),
    status: 'pending',
    locations: locationsOf(intent, project),
    content: intent === undefined ? [] : await previewOf(intent, project, read),
    rawInput: bounded(input),
  };
}

function kindOf(intent: Intent | undefined): ToolKind {
  if (intent === undefined) return 'other';
  const { preview, effects, targets } = intent;
  if (preview.kind === 'changes') {
    const is = (status: Change['status']): boolean => preview.changes.every((change) => change.status === status);
    return is('deleted') ? 'delete' : is('renamed') ? 'move' : 'edit';
  }
  if (preview.kind === 'question') return 'think';
  if (effects.includes('executes')) return 'execute';
  if (effects.includes('writes')) return 'edit';
  if (effects.includes('network')) return 'fetch';
  if (effects.includes('reads')) return targets.some(({ kind }) => kind === 'path') ? 'read' : 'search';
  return 'other';
}

function locationsOf(intent: Intent | undefined, project: string): ToolCallLocation[] {
  if (intent?.preview.kind === 'changes')
    return intent.preview.changes.map(({ path, hunks: [first] }) => ({
      path: join(project, path),
      ...(first && { line: Math.max(1, first.newStart) }),
    }));
  return (intent?.targets ?? []).flatMap((target) =>
    target.kind === 'path' ? [{ path: join(project, target.path) }] : [],
  );
}

async function previewOf({ preview }: Intent, project: string, read: ReadContent): Promise<ToolCallContent[]> {
  switch (preview.kind) {
    case 'command':
      return [textContent(fenced(`${shown(preview.command)}\n# in ${shown(preview.cwd)}`))];
    case 'changes':
      return fileContents(preview.changes, project, read);
    case 'question':
      return [textContent(shown(questionText(allAsked(preview))))];
    case 'text':
      return [textContent(`${shown(preview.title)}\n${shown(preview.text)}`)];
    case 'none':
      return [];
  }
}

/** Files as diffs over their whole text; what is no text, or too large, in words. */
export async function fileContents(
  files: readonly (Change | AppliedFile)[],
  project: string,
  read: ReadContent,
): Promise<ToolCallContent[]> {
  const contents: ToolCallContent[] = [];
  for (const file of files) {
    const { path, oldPath, status, before, after, additions, deletions } = file;
    if ('protectedBy' in file && file.protectedBy !== undefined) contents.push(textContent(shown(file.protectedBy)));
    if (oldPath !== undefined) contents.push(textContent(shown(`${oldPath} → ${path}`)));
    const [oldText, newText] = [await read(before), await read(after)];
    const isText = oldText !== undefined && newText !== undefined;
    contents.push(
      isText && (oldText ?? '').length + (newText ?? '').length <= maxDiffChars
        ? { type: 'diff', path: join(project, path), oldText, newText: newText ?? '' }
        : textContent(
            shown(`${status} ${path} (${isText ? 'too large to show' : 'binary'}, +${additions} −${deletions})`),
          ),
    );
  }
  return contents;
}

/** The questions of one call, numbered where there are several, with their choices. */
export function questionText(asked: readonly Asked[]): string {
  const [only] = asked;
  if (only && asked.length === 1 && !only.isMultiple) return only.question;
  const listed = asked.map(({ question, choices = [], isMultiple }, at) => {
    const several = isMultiple ? ' (several may be chosen)' : '';
    return [`${asked.length > 1 ? `${at + 1}. ` : ''}${question}${several}`, ...choices.map((one) => `- ${one}`)].join(
      '\n',
    );
  });
  return listed.join('\n\n');
}

export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

/** As a Markdown block that the text itself cannot end. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}

/** What hides or turns text around is made visible: what is approved must be what is read. */
export function shown(text: string): string {
  return visible(text).text;
}

/** Large values are left out: an editor shows them to nobody. */
export function bounded(value: unknown): unknown {
  const json = JSON.stringify(value) as string | undefined; // undefined has no JSON
  return json === undefined || json.length > maxRawChars ? undefined : value;
}
