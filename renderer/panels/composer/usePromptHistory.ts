import { type KeyboardEvent, useRef } from 'react';
import { itemsOf } from '../../../shared/model/timeline.ts';
import { currentSession } from '../../view/useSession.ts';

/**
 * Earlier messages of the session in the field: ↑ in an empty field or at the very beginning of one that is shown goes back,
 * ↓ at its end forth, and beyond the newest to the empty field. What the person has typed is never replaced.
 */
export function usePromptHistory(text: string, place: (text: string, caret: number) => void) {
  const shown = useRef<{ readonly text: string; readonly back: number } | null>(null);
  /** True: the key is taken. */
  return ({ key, currentTarget, shiftKey }: KeyboardEvent<HTMLTextAreaElement>): boolean => {
    if ((key !== 'ArrowUp' && key !== 'ArrowDown') || shiftKey) return false;
    const before = shown.current?.text === text ? shown.current : null;
    if (before === null && (text !== '' || key === 'ArrowDown')) return false;
    const { selectionStart, selectionEnd } = currentTarget;
    const edge = key === 'ArrowUp' ? 0 : text.length;
    // The caret of a message that was just brought stands at its end: ↑ goes on from there while it has one line.
    const isAtEdge = selectionStart === selectionEnd && (selectionStart === edge || !text.includes('\n'));
    if (!isAtEdge) return false;
    const back = (before?.back ?? 0) + (key === 'ArrowUp' ? 1 : -1);
    const found = back === 0 ? '' : sentMessages().at(-back);
    if (found === undefined) return true;
    shown.current = back === 0 ? null : { text: found, back };
    place(found, found.length);
    return true;
  };
}

/** Oldest first; the same one twice in a row stands once. */
function sentMessages(): readonly string[] {
  const sent = [...itemsOf(currentSession().items)].flatMap((item) => (item.kind === 'user' ? [item.text] : []));
  return sent.filter((text, at) => text.trim() !== '' && text !== sent[at - 1]);
}
