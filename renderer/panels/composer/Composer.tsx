import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useSessions } from '../../mirror/sessions.ts';
import { cx } from '../../parts/cx.ts';
import { isComposing } from '../../parts/keys.ts';
import { currentDraft, useDraft, writeDraft } from '../../view/drafts.ts';
import { offerPanel } from '../../view/panelCalls.ts';
import { useShown } from '../../view/shown.ts';
import { useSession } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { AttachedList } from './AttachedList.tsx';
import { ChangesBar } from './ChangesBar.tsx';
import { CommentTray } from './CommentTray.tsx';
import { Completion } from './Completion.tsx';
import { ComposerFoot } from './ComposerFoot.tsx';
import { Queue } from './Queue.tsx';
import { sends } from './sendKey.ts';
import { withMention } from './token.ts';
import { useAttached } from './useAttached.ts';
import { useCompletion } from './useCompletion.ts';
import { useDropped } from './useDropped.ts';
import { usePromptHistory } from './usePromptHistory.ts';
import { useSavedDraft } from './useSavedDraft.ts';
import { useSend } from './useSend.ts';

/** The field that a message is written in, with what goes along and what is offered while it is typed. */
export function Composer() {
  const words = useWords();
  const listId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const wantedCaret = useRef<number | null>(null);
  const hasProject = useShown(({ project }) => project !== null);
  const isOut = useIsOut();
  const isBusy = useSession(({ turn }) => turn !== null);
  const draft = useDraft();
  const { text } = draft;
  const [caret, setCaret] = useState(0);
  const { attached, add, remove, clear } = useAttached();
  const { send, runLine, canSend } = useSend(draft, attached, clear);
  const { isOver, dropHandlers, onPaste } = useDropped(add, () => field.current?.focus());
  useSavedDraft(text);

  useEffect(() => offerPanel('composer', { focus: () => field.current?.focus() }), []);
  useLayoutEffect(() => {
    // Before the next key can come: what is typed fast must not land behind the end.
    if (wantedCaret.current !== null) field.current?.setSelectionRange(wantedCaret.current, wantedCaret.current);
    wantedCaret.current = null;
  }, [text]);

  const place = (next: string, at: number): void => {
    writeDraft({ text: next });
    setCaret(at);
    wantedCaret.current = at;
  };
  const takesHistory = usePromptHistory(text, place);
  const { choices, chosen, isOpen, choose, takesKey } = useCompletion(text, caret, (choice, token) => {
    if (choice.kind === 'slash') {
      if (choice.takes) place(`/${choice.id} `, choice.id.length + 2);
      else void runLine(`/${choice.id}`);
      return;
    }
    const mention = choice.mention ?? choice.label;
    // The engine reads mentions of all kinds from the text; files are handed over besides, as a drop does.
    if (choice.of === 'file') writeDraft({ paths: [...currentDraft().paths, mention] });
    const next = withMention(text, token, caret, mention);
    place(next.text, next.caret);
  });

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const press = event.nativeEvent;
    if (isComposing(press)) return;
    if (takesKey(event) || takesHistory(event)) return event.preventDefault();
    if (event.key === 'Backspace' && text === '' && attached.length > 0) {
      event.preventDefault();
      const buttons = event.currentTarget.parentElement?.querySelectorAll<HTMLElement>('ul li button');
      return buttons?.[buttons.length - 1]?.focus();
    }
    // An empty field has nothing to send: with ⌘ or Ctrl the key is the review's.
    if (!sends(press) || (!canSend && (press.metaKey || press.ctrlKey))) return;
    event.preventDefault();
    if (canSend) void send();
  };

  // Nothing can be said to a session that cannot be opened.
  if (isOut) return null;
  return (
    <div className="shrink-0 px-4 pt-1 pb-3">
      <div className="mx-auto max-w-[50rem]">
        <ChangesBar />
        <Queue />
        <CommentTray onSend={canSend ? () => void send() : undefined} />
        <div
          className={cx(
            'relative rounded-xl border bg-raised transition-colors focus-within:border-accent',
            isOver ? 'border-accent bg-accent-tint' : 'border-edge/70',
          )}
          {...dropHandlers}
        >
          {isOpen && <Completion id={listId} choices={choices} chosen={chosen} onChoose={choose} />}
          <AttachedList
            attached={attached}
            onRemove={(id) => {
              remove(id);
              if (attached.length === 1) field.current?.focus();
            }}
          />
          <textarea
            ref={field}
            rows={1}
            data-passes-keys
            aria-label={words.composer.label}
            aria-autocomplete="list"
            aria-controls={isOpen ? listId : undefined}
            aria-activedescendant={isOpen ? `${listId}-${chosen}` : undefined}
            placeholder={isBusy ? words.composer.placeholderBusy : words.composer.placeholder}
            disabled={!hasProject}
            value={text}
            onChange={(event) => {
              writeDraft({ text: event.target.value });
              setCaret(event.target.selectionStart);
            }}
            onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            className="field-sizing-content block max-h-[38vh] min-h-10 w-full resize-none bg-transparent px-3.5 pt-2.5 pb-1 text-base outline-none"
          />
          <ComposerFoot
            isBusy={isBusy}
            onSend={canSend ? () => void send() : undefined}
            onAttach={hasProject ? (files) => void add(files) : undefined}
          />
        </div>
      </div>
    </div>
  );
}

/** Whether the session on show cannot be opened. */
function useIsOut(): boolean {
  const session = useShown((shown) => shown.session);
  return useSessions(({ failed }) => session !== null && failed[session] !== undefined);
}
