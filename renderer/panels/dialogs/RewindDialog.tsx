import { useState } from 'react';
import { toast } from 'sonner';
import type { RewindPart, RewindPoint, RewindPreview } from '../../../shared/model/rewind.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { useAnswer } from '../../client/useAnswer.ts';
import { takeRewindBack } from '../../commands/actions.ts';
import { Button } from '../../parts/Button.tsx';
import { Modal } from '../../parts/Modal.tsx';
import { PathText } from '../../parts/PathText.tsx';
import { closeOverlay } from '../../view/overlay.ts';
import { focusComposer, suggest } from '../../view/show.ts';
import { useWords } from '../../words/words.tsx';

const parts = ['both', 'files', 'talk'] as const satisfies readonly RewindPart[];

/** What goes back and what stays, before anything does. */
export function RewindDialog({
  session,
  to,
  text,
}: {
  readonly session: string;
  readonly to: RewindPoint;
  readonly text: string | undefined;
}) {
  const words = useWords();
  const client = useClient();
  const [what, setWhat] = useState<RewindPart>('both');
  const [isGoing, setIsGoing] = useState(false);
  const shown = useAnswer(
    'session.rewind',
    { session, to, what, preview: true },
    { onFailure: ({ message }) => toast.error(message) },
  );
  const go = async (): Promise<void> => {
    setIsGoing(true);
    const done = await valueOrToast(client.call('session.rewind', { session, to, what }));
    setIsGoing(false);
    if (!done) return;
    closeOverlay();
    if (text !== undefined && what !== 'files') suggest(text);
    else focusComposer();
    const { rewind, files, left } = done;
    const takeBack = {
      label: words.rewind.takeBack,
      onClick: () => void takeRewindBack(client, session, rewind ?? '', what),
    };
    toast(words.rewind.done(files.length, left.length), {
      duration: 15_000,
      ...(rewind === undefined ? {} : { action: takeBack }),
    });
  };
  return (
    <Modal
      title={words.rewind.title}
      note={words.rewind.note}
      onClose={closeOverlay}
      foot={
        <>
          <Button onClick={closeOverlay}>{words.common.cancel}</Button>
          <Button
            look="primary"
            disabled={!shown || isGoing || shown.files.length + shown.items === 0}
            onClick={() => void go()}
          >
            {words.rewind.go}
          </Button>
        </>
      }
    >
      <div role="radiogroup" aria-label={words.rewind.title} className="mb-3 flex gap-4">
        {parts.map((part) => (
          <label key={part} className="flex items-center gap-1.5">
            <input type="radio" name="rewind" checked={part === what} onChange={() => setWhat(part)} />
            {words.rewind[part]}
          </label>
        ))}
      </div>
      {shown ? <Preview shown={shown} /> : <div className="skeleton h-16" />}
    </Modal>
  );
}

function Preview({ shown: { files, left, items } }: { readonly shown: RewindPreview }) {
  const { rewind: words } = useWords();
  return (
    <div className="flex flex-col gap-3 text-xs" aria-live="polite">
      <p className="text-soft">
        {[words.filesBack(files.length), ...(items > 0 ? [words.items(items)] : [])].join(' · ')}
      </p>
      {files.length > 0 && (
        <Files label={words.goBack} files={files.map(({ path, now }) => ({ path, note: words.now[now] }))} />
      )}
      {left.length > 0 && (
        <Files label={words.stay} files={left.map(({ path, why }) => ({ path, note: why }))} isWarning />
      )}
    </div>
  );
}

function Files({
  label,
  files,
  isWarning = false,
}: {
  readonly label: string;
  readonly files: readonly { readonly path: string; readonly note: string }[];
  readonly isWarning?: boolean;
}) {
  return (
    <section>
      <h3 className={isWarning ? 'mb-1 font-semibold text-warn' : 'mb-1 font-semibold text-soft'}>{label}</h3>
      <ul className="divide-y divide-line rounded-md border border-line bg-raised">
        {files.map(({ path, note }) => (
          <li key={path} className="flex items-baseline gap-3 px-2.5 py-1.5">
            <PathText path={path} className="min-w-0 flex-1 font-mono" />
            <span className="shrink-0 text-soft">{note}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
