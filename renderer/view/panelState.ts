import * as z from 'zod';
import { create } from 'zustand';
import { keptStore } from './keptStore.ts';

/** What each panel has open. It outlives the panel, which is gone while another tab or pane is on show. */

/** The task whose screen the console shows, by id; null: the first of its list. */
export const useConsoleState = keptStore('vise.console', z.object({ task: z.string().nullable().catch(null) }));

/** The file that the viewer shows. */
export const useFilesState = create<{ readonly path: string | null }>(() => ({ path: null }));

/** How the review is drawn: both sides beside each other or one column, the files as a tree or one below the other. */
export const useReviewLook = keptStore(
  'vise.reviewLook',
  z.object({
    sides: z.enum(['auto', 'beside', 'inline']).catch('auto'),
    files: z.enum(['list', 'tree', 'none']).catch('list'),
  }),
);

/** The file that the review has open, and of what was written the change set; null: the first. */
export const useReviewState = create<{ readonly path: string | null; readonly set: string | null }>(() => ({
  path: null,
  set: null,
}));

/** Brings a file of the review into sight, also one that was and has been scrolled away. */
export function seekInReview(path: string): void {
  useReviewState.setState({ path: null });
  queueMicrotask(() => useReviewState.setState({ path }));
}

export const useConversationState = create<{
  readonly isFinding: boolean;
  /** The person looks around without a model, until the page is loaded again. */
  readonly withoutModel: boolean;
}>(() => ({ isFinding: false, withoutModel: false }));

/** Questions whose card was put off, by the id of their call. */
export const usePutOff = create<Readonly<Record<string, true>>>(() => ({}));

export function putOff(calls: readonly string[], isLater: boolean): void {
  usePutOff.setState((before) => {
    const others = Object.entries(before).filter(([id]) => !calls.includes(id));
    return Object.fromEntries([...others, ...(isLater ? calls.map((id) => [id, true] as const) : [])]);
  }, true);
}
