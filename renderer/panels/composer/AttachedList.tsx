import { FileText, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { cx } from '../../parts/cx.ts';
import { useWords } from '../../words/words.tsx';
import type { Attached } from './attachments.ts';

/** What goes along with the message. Delete or Backspace takes the one in focus away. */
export function AttachedList({
  attached,
  onRemove,
}: {
  readonly attached: readonly Attached[];
  readonly onRemove: (id: string) => void;
}) {
  const words = useWords();
  if (attached.length === 0) return null;
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>, { id }: Attached, index: number): void => {
    if (event.key !== 'Delete' && event.key !== 'Backspace') return;
    event.preventDefault();
    const buttons = event.currentTarget.closest('ul')?.querySelectorAll('button');
    (buttons?.[index + 1] ?? buttons?.[index - 1])?.focus();
    onRemove(id);
  };
  return (
    <ul aria-label={words.composer.attached} className="flex flex-wrap items-center gap-2 px-3 pt-2.5">
      {attached.map((each, index) => (
        <li
          key={each.id}
          className={cx(
            'relative flex items-center rounded-md border border-line',
            each.kind === 'text' && 'gap-1.5 bg-inset py-1 pr-3 pl-2',
          )}
        >
          {each.kind === 'image' ? (
            <Thumbnail attached={each} />
          ) : (
            <>
              <FileText aria-hidden className="size-3.5 shrink-0 text-soft" />
              <span className="max-w-48 truncate text-xs" title={each.name}>
                {each.name}
              </span>
              <span className="tabular text-2xs text-soft">{words.composer.size(each.file.size)}</span>
            </>
          )}
          <button
            type="button"
            aria-label={words.composer.removeAttachment(each.name)}
            className="absolute -top-1.5 -right-1.5 rounded-full border border-line bg-raised p-0.5 text-soft hover:text-ink"
            onClick={() => onRemove(each.id)}
            onKeyDown={(event) => onKeyDown(event, each, index)}
          >
            <X aria-hidden className="size-3" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Thumbnail({ attached: { file, name } }: { readonly attached: Attached }) {
  const [url, setUrl] = useState('');
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url === '' ? null : <img src={url} alt={name} className="h-14 max-w-40 rounded-md object-cover" />;
}
