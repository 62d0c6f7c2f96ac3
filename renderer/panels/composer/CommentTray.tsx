import { MessageSquare, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useClient } from '../../client/client.ts';
import { Button, IconButton } from '../../parts/Button.tsx';
import { dropComments, type LineComment, spotKey, useComments, writeComment } from '../../view/comments.ts';
import { movedText, planTexts, spotName } from '../../view/commentText.ts';
import { commentedFiles, readCommented } from '../../view/readCommented.ts';
import { openFile, showTab } from '../../view/show.ts';
import { useShown } from '../../view/shown.ts';
import { useSession } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';

/** The comments on lines that wait over the field: they are sent together, with what is written there. */
export function CommentTray({ onSend }: { readonly onSend: (() => void) | undefined }) {
  const { comments: w } = useWords();
  const comments = useComments();
  const texts = useTextsNow(comments);
  if (comments.length === 0) return null;
  return (
    <section aria-label={w.title(comments.length)} className="mb-1.5 rounded-md border border-line bg-raised text-xs">
      <header className="flex items-center gap-2 py-1 pr-1 pl-2.5">
        <MessageSquare aria-hidden className="size-3.5 shrink-0 text-accent" />
        <span className="font-medium">{w.title(comments.length)}</span>
        <span className="min-w-0 flex-1 truncate text-soft">{w.goes}</span>
        <Button look="quiet" className="h-5.5" onClick={() => dropComments(comments)}>
          {w.dropAll}
        </Button>
        <Button look="primary" className="h-5.5" disabled={!onSend} onClick={onSend}>
          {w.sendAll}
        </Button>
      </header>
      <ol className="max-h-44 overflow-y-auto border-t border-line">
        {comments.map((comment) => (
          <TrayRow key={spotKey(comment)} comment={comment} moved={movedText(comment, texts.get(comment.path), w)} />
        ))}
      </ol>
    </section>
  );
}

function TrayRow({ comment, moved }: { readonly comment: LineComment; readonly moved: string | undefined }) {
  const { comments: w } = useWords();
  const { of, path, from, quote, text } = comment;
  const where = spotName(comment);
  const open = (): void => (of === 'plan' ? showTab('plan') : openFile(path, { line: from, column: 1 }));
  return (
    <li className="flex items-start gap-1 py-1 pr-1 pl-2.5 not-first:border-t not-first:border-line">
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0 items-baseline gap-2">
          <button
            type="button"
            aria-label={w.open(where)}
            className="max-w-[60%] shrink-0 truncate font-mono text-2xs text-accent hover:underline"
            onClick={open}
          >
            {where}
          </button>
          <code className="min-w-0 flex-1 truncate font-mono text-2xs text-soft">{quote[0]}</code>
          {moved && <span className="shrink-0 text-2xs font-medium text-warn">{moved}</span>}
        </p>
        <textarea
          rows={1}
          aria-label={w.on(where)}
          value={text}
          onChange={(event) => writeComment(comment, event.target.value, true)}
          className="field-sizing-content max-h-24 w-full resize-none bg-transparent py-0.5 outline-none focus-visible:bg-inset"
        />
      </div>
      <IconButton label={w.remove(where)} onClick={() => writeComment(comment, '')}>
        <X />
      </IconButton>
    </li>
  );
}

/** What commented lines are compared with: the files, read again when somebody may have written, and the plan. */
function useTextsNow(comments: readonly LineComment[]): ReadonlyMap<string, string> {
  const { comments: w } = useWords();
  const client = useClient();
  const project = useShown((shown) => shown.project);
  const facts = useSession((session) => session.facts);
  const [files, setFiles] = useState<ReadonlyMap<string, string>>(new Map());
  const [focused, setFocused] = useState(0);
  const paths = commentedFiles(comments).join('\n');
  const written = useSession(
    ({ changeSets, turn }) => `${changeSets.length} ${changeSets.at(-1)?.state} ${turn === null}`,
  );
  useEffect(() => {
    const again = (): void => setFocused((times) => times + 1);
    window.addEventListener('focus', again);
    return () => window.removeEventListener('focus', again);
  }, []);
  // `written` and `focused` only tell when to read again.
  useEffect(() => {
    if (project === null || paths === '') return;
    let isCurrent = true;
    void readCommented(client, project, paths.split('\n')).then((texts) => isCurrent && setFiles(texts));
    return () => {
      isCurrent = false;
    };
  }, [client, project, paths, written, focused]);
  return new Map([...files, ...planTexts(facts, w)]);
}
