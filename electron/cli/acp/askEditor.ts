import type { PermissionOption } from '@agentclientprotocol/sdk';
import type { Call } from '../../../shared/model/call.ts';
import { ruleText } from '../../../shared/model/rule.ts';
import { askHunks, hunkCount } from './askHunks.ts';
import { proposedCall, shown } from './callView.ts';
import { askedBy, askForm, type Editor, type EditorAnswer, textIn } from './editor.ts';

/** Puts an approval before the person. Undefined when the question was taken back: nothing is answered then. */
export async function askEditor(call: Call, editor: Editor): Promise<EditorAnswer | undefined> {
  const { session, context, signal } = editor;
  const toolCall = await asked(call, editor);
  const { outcome } = await context.request(
    'session/request_permission',
    { sessionId: session, toolCall, options: optionsOf(call, editor.forms) },
    { cancellationSignal: signal },
  );
  if (signal.aborted) return undefined;
  // A client that takes the question away without stopping the turn has allowed nothing.
  const option = outcome.outcome === 'selected' ? outcome.optionId : 'deny';
  switch (option) {
    case 'once':
    case 'hour':
    case 'session':
    case 'always':
      return { decision: option };
    case 'hunks':
      return askHunks(call, editor);
    case 'reason': {
      const form = await askForm(editor, call.id, 'Why not? The agent is told.', {
        reason: { type: 'string', title: 'Reason' },
      });
      return signal.aborted ? undefined : { decision: 'deny', reason: textIn(form, 'reason') };
    }
    default:
      return { decision: 'deny' };
  }
}

async function asked(call: Call, { project, read, asker }: Editor) {
  const toolCall = await proposedCall({ ...call, call: call.id }, project, read);
  return { ...toolCall, title: askedBy(asker, toolCall.title) };
}

/** One of the choices of a question, where there are no forms; undefined when the person has words of their own. */
export async function askChoice(call: Call, choices: readonly string[], editor: Editor): Promise<string | undefined> {
  const { session, context, signal } = editor;
  const toolCall = await asked(call, editor);
  const named = choices.map((choice, at) => ({ optionId: `${at}`, name: shown(choice), kind: 'allow_once' as const }));
  const options: PermissionOption[] = [
    ...named,
    { optionId: 'words', name: 'I write the answer next', kind: 'reject_once' },
  ];
  const { outcome } = await context.request(
    'session/request_permission',
    { sessionId: session, toolCall, options },
    { cancellationSignal: signal },
  );
  return outcome.outcome === 'selected' ? choices[Number(outcome.optionId)] : undefined;
}

function optionsOf({ intent, approval }: Call, forms: boolean): PermissionOption[] {
  const isChange = intent?.preview.kind === 'changes';
  const options: PermissionOption[] = [{ optionId: 'once', name: isChange ? 'Accept' : 'Allow', kind: 'allow_once' }];
  if (isChange && hunkCount(intent) > 1) options.push({ optionId: 'hunks', name: 'Choose hunks…', kind: 'allow_once' });
  if (approval?.offer) {
    const { minutes, place } = approval.offer;
    options.push({ optionId: 'hour', name: `Allow for ${minutes} minutes in ${shown(place)}`, kind: 'allow_always' });
  }
  if (approval?.rememberable && approval.suggestions.length > 0) {
    const rules = shown(approval.suggestions.map(ruleText).join('; '));
    options.push({ optionId: 'session', name: `This session: ${rules}`, kind: 'allow_always' });
    options.push({ optionId: 'always', name: `Always: ${rules}`, kind: 'allow_always' });
  }
  options.push({ optionId: 'deny', name: 'Reject', kind: 'reject_once' });
  if (forms) options.push({ optionId: 'reason', name: 'Reject and say why…', kind: 'reject_once' });
  return options;
}
