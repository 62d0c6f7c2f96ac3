import { toast } from 'sonner';
import { namesPrompt } from '../../../shared/contract/namesPrompt.ts';
import { parseSlash } from '../../../shared/text/slashCommands.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { ensureSession } from '../../commands/actions.ts';
import { useCommandContext } from '../../commands/useCommands.ts';
import { runWindowSlash } from '../../commands/windowSlash.ts';
import { projectAt, usableProvider } from '../../mirror/selectors.ts';
import { currentComments, dropComments, useHasComments } from '../../view/comments.ts';
import { commentsMessage, planTexts } from '../../view/commentText.ts';
import { type Draft, writeDraft } from '../../view/drafts.ts';
import { openOverlay } from '../../view/overlay.ts';
import { commentedFiles, readCommented } from '../../view/readCommented.ts';
import { useShown } from '../../view/shown.ts';
import { useSession, useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import type { Attached } from './attachments.ts';
import { storeAttached } from './storeAttached.ts';
import { mentionedIn } from './token.ts';

/** Whether somebody answers in the project on show; the sample brings its own. */
export function useHasModel(): boolean {
  const project = useShown((shown) => shown.project);
  return useWorkbench((workbench) => usableProvider(workbench) || projectAt(workbench, project)?.sample === true);
}

/** What Enter does: a slash command is run, anything else is sent with what goes along. */
export function useSend(draft: Draft, attached: readonly Attached[], clearAttached: () => void) {
  const words = useWords();
  const client = useClient();
  const context = useCommandContext();
  const { project } = useShown();
  const hasModel = useHasModel();
  const facts = useSession((state) => state.facts);
  const hasComments = useHasComments();
  const canSend = project !== null && (draft.text.trim() !== '' || attached.length > 0 || hasComments);

  /** True: it was a command, done or refused with its reason. */
  const runLine = async (line: string): Promise<boolean> => {
    const slash = parseSlash(line, 'window');
    // A path at the very beginning is a text.
    if (slash.kind === 'text' || (slash.kind === 'unknown' && /^\/[^\s]*[/.]/.test(line))) return false;
    if (slash.kind === 'unknown' && project !== null && (await namesPrompt(client, project, line))) return false;
    if (slash.kind !== 'command')
      toast.error(slash.kind === 'usage' ? words.composer.usage(slash.text.replace(/^usage: /, '')) : slash.text);
    else {
      writeDraft({ text: '' });
      if (!(await runWindowSlash(slash.name, slash.args, context()))) writeDraft({ text: line });
    }
    return true;
  };

  const send = async (): Promise<void> => {
    const text = draft.text.trim();
    if (text !== '' && (await runLine(text))) return;
    // Nobody would answer: the text waits in the field until somebody does.
    if (!hasModel) return openOverlay({ kind: 'settings', section: 'providers' });
    const session = await ensureSession(client);
    if (session === undefined) return;
    const stored = await storeAttached(client, session, attached);
    // What could not be stored stays here with its message.
    if (!stored) return;
    const comments = currentComments().filter((comment) => comment.text.trim() !== '');
    const texts = new Map([
      ...(await readCommented(client, project ?? '', commentedFiles(comments))),
      ...planTexts(facts, words.comments),
    ]);
    const message = commentsMessage(text, comments, texts, words.comments);
    const files = mentionedIn(text, draft.paths).map((path) => ({ kind: 'file' as const, path }));
    const sent = await valueOrToast(
      client.call('session.send', { session, text: message, attachments: [...files, ...stored] }),
    );
    // A refused message stays in the field.
    if (!sent) return;
    writeDraft({ text: '', paths: [] }, session);
    clearAttached();
    dropComments(comments);
  };
  return { send, runLine, canSend };
}
