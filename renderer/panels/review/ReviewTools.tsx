import { Columns2, FolderTree, PanelTop } from 'lucide-react';
import { IconButton } from '../../parts/Button.tsx';
import { useReviewLook } from '../../view/panelState.ts';
import { useWords } from '../../words/words.tsx';

/** How the review is drawn: which files, and the two sides. */
export function ReviewTools({ unread }: { readonly unread: number | undefined }) {
  const { review: w } = useWords();
  const { sides, files } = useReviewLook();
  return (
    <div className="flex h-7 shrink-0 items-center gap-0.5 border-b border-line px-1.5 text-2xs text-soft">
      <IconButton
        label={w.showFiles}
        aria-pressed={files !== 'none'}
        onClick={() => useReviewLook.setState({ files: files === 'none' ? 'list' : 'none' })}
      >
        <PanelTop />
      </IconButton>
      <IconButton
        label={w.asTree}
        aria-pressed={files === 'tree'}
        onClick={() => useReviewLook.setState({ files: files === 'tree' ? 'list' : 'tree' })}
      >
        <FolderTree />
      </IconButton>
      <IconButton
        label={w.beside}
        keys="s"
        aria-pressed={sides === 'beside'}
        onClick={() => useReviewLook.setState({ sides: sides === 'beside' ? 'inline' : 'beside' })}
      >
        <Columns2 />
      </IconButton>
      <span className="flex-1" />
      {unread !== undefined && <span className="tabular">{w.unread(unread)}</span>}
      <span>
        <kbd className="ml-2 font-mono">?</kbd> {w.keys}
      </span>
    </div>
  );
}
