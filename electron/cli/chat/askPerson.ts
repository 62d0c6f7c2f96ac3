import type { Client } from '../../../shared/contract/client.ts';
import type { Change } from '../../../shared/model/change.ts';
import type { EventOf } from '../../../shared/model/event.ts';
import type { Intent } from '../../../shared/model/intent.ts';
import { visible } from '../../../shared/text/visible.ts';
import { unifiedDiff } from '../../engine/workspace/unifiedDiff.ts';
import type { Io } from '../base/io.ts';
import type { Terminal } from './terminal.ts';

/** Puts one question before the person and sends the answer. Only y and yes accept, and h where an hour is offered; the end of input is a no. */
export async function askPerson(
  parts: { readonly io: Io; readonly terminal: Terminal; readonly client: Client; readonly session: string },
  { call, approval }: EventOf<'permission.asked'>,
  proposed: EventOf<'tool.proposed'> | undefined,
): Promise<void> {
  const { io, terminal, client, session } = parts;
  const intent = proposed?.intent;
  if (intent?.preview.kind === 'question') {
    const { question, choices = [] } = intent.preview;
    const offered = choices.length === 0 ? '' : ` (${shown(choices.join(' / '))})`;
    const said = await terminal.answer(`${shown(question)}${offered}\n> `);
    const answer = said === undefined ? { decision: 'deny' as const } : { decision: 'once' as const, answer: said };
    await client.call('permission.answer', { session, call, ...answer });
    return;
  }
  if (intent) io.out(await describe(intent, client, session));
  const reasons = approval.reasons.length > 0 ? ` (${shown(approval.reasons.join('; '))})` : '';
  const { offer } = approval;
  if (offer) io.out(`h: also without asking for ${offer.minutes} minutes in ${shown(offer.place)}\n`);
  const said = await terminal.answer(`Allow ${shown(proposed?.tool ?? 'this')}${reasons}? ${offer ? 'y/h/N' : 'y/N'} `);
  const decision = decisionOf(said, offer !== undefined);
  const isReason = decision === 'deny' && !/^\s*(n|no)?\s*$/i.test(said ?? '');
  await client.call('permission.answer', { session, call, decision, reason: isReason ? said : undefined });
}

function decisionOf(said: string | undefined, isOffered: boolean): 'once' | 'hour' | 'deny' {
  if (/^\s*y(es)?\s*$/i.test(said ?? '')) return 'once';
  return isOffered && /^\s*h(our)?\s*$/i.test(said ?? '') ? 'hour' : 'deny';
}

async function describe(intent: Intent, client: Client, session: string): Promise<string> {
  const { preview, summary } = intent;
  switch (preview.kind) {
    case 'command':
      return `${shown(preview.command)}\n  in ${shown(preview.cwd)}\n`;
    case 'changes': {
      const diffs: string[] = [];
      for (const change of preview.changes) diffs.push(await diffOf(change, client, session));
      return diffs.join('');
    }
    case 'text':
      return `${shown(preview.title)}\n${shown(preview.text)}\n`;
    case 'none':
    case 'question':
      return `${shown(summary)}\n`;
  }
}

async function diffOf(change: Change, client: Client, session: string): Promise<string> {
  const warning = change.protectedBy === undefined ? '' : `! ${shown(change.protectedBy)}\n`;
  const text = async (id: string | null): Promise<string | null | undefined> => {
    if (id === null) return null;
    const read = await client.call('content.read', { session, id });
    return read.ok ? (read.value.text ?? undefined) : undefined;
  };
  const [before, after] = await Promise.all([text(change.before), text(change.after)]);
  if (before === undefined || after === undefined)
    return `${warning}${change.status} ${shown(change.path)} (binary, +${change.additions} −${change.deletions})\n`;
  return `${warning}${shown(unifiedDiff(before, after, change))}`;
}

/** What a terminal would obey or hide is made visible: what is approved must be what is read. */
function shown(text: string): string {
  return visible(text).text;
}
