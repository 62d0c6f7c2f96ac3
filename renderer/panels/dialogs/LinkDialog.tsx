import { Button } from '../../parts/Button.tsx';
import { Modal } from '../../parts/Modal.tsx';
import { VisibleText } from '../../parts/VisibleText.tsx';
import { closeOverlay } from '../../view/overlay.ts';
import { useWords } from '../../words/words.tsx';

/** Nothing a model or a command wrote is opened unasked (S2, C8); only web and mail addresses are opened at all. */
export function LinkDialog({ url }: { readonly url: string }) {
  const words = useWords();
  const allowed = /^(https?|mailto):/i.test(url);
  return (
    <Modal
      title={words.talk.openLinkTitle}
      note={words.talk.openLinkBody}
      onClose={closeOverlay}
      foot={
        <>
          <Button onClick={closeOverlay}>{words.common.cancel}</Button>
          <Button
            look="primary"
            disabled={!allowed}
            onClick={() => {
              window.open(url, '_blank', 'noopener,noreferrer');
              closeOverlay();
            }}
          >
            {words.talk.openLinkDo}
          </Button>
        </>
      }
    >
      <p className="selectable rounded-md border border-line bg-inset px-2.5 py-1.5 font-mono text-xs break-all">
        <VisibleText text={url} />
      </p>
    </Modal>
  );
}
