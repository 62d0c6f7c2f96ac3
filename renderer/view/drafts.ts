import { create } from 'zustand';
import { useSessions } from '../mirror/sessions.ts';
import { useShown } from './shown.ts';

/** A message that is being written, and the paths that were handed to it: they are sent along as files. */
export interface Draft {
  readonly text: string;
  readonly paths: readonly string[];
}

/** The drafts of this page by their place: a session, or a project that has none yet. */
const useDrafts = create<Readonly<Record<string, Draft>>>(() => ({}));

const storage = typeof localStorage === 'undefined' ? undefined : localStorage;
const storageKey = (place: string): string => `vise.draft ${place}`;
const placeOf = ({ project, session }: ReturnType<typeof useShown.getState>): string => session ?? project ?? '';

/** The newest that is known of a draft: what this page wrote, what an earlier page kept, what the engine has. */
function draftAt(place: string, drafts: Readonly<Record<string, Draft>>, ofEngine: string | undefined): Draft {
  return drafts[place] ?? { text: storage?.getItem(storageKey(place)) ?? ofEngine ?? '', paths: [] };
}

/** Where the message on show is written. */
export const useDraftPlace = (): string => useShown(placeOf);

export function useDraft(): Draft {
  const place = useDraftPlace();
  const ofEngine = useSessions(({ watched }) => watched[place]?.draft);
  const own = useDrafts((drafts) => drafts[place]);
  return own ?? draftAt(place, {}, ofEngine);
}

export function currentDraft(): Draft {
  const place = placeOf(useShown.getState());
  return draftAt(place, useDrafts.getState(), useSessions.getState().watched[place]?.draft);
}

/** Writes the draft on show; the page keeps it until the engine has it, so that it survives a reload and a crash. */
export function writeDraft(change: Partial<Draft>, place = placeOf(useShown.getState())): void {
  const draft = { ...currentDraft(), ...change };
  useDrafts.setState({ [place]: draft });
  if (draft.text === '') storage?.removeItem(storageKey(place));
  else storage?.setItem(storageKey(place), draft.text);
}

/** The engine has this text: the page need not keep it any longer. */
export function draftIsSaved(place: string, text: string): void {
  if (storage?.getItem(storageKey(place)) === text) storage.removeItem(storageKey(place));
}

/** A draft goes along into the session that was made for it. */
export function moveDraft(from: string, to: string): void {
  const draft = useDrafts.getState()[from];
  if (draft) writeDraft(draft, to);
  writeDraft({ text: '', paths: [] }, from);
}

/** Mentions paths at the end of the draft, as a drop does. */
export function addPaths(paths: readonly string[]): void {
  const draft = currentDraft();
  writeDraft({ text: withPaths(draft.text, paths), paths: [...draft.paths, ...paths] });
}

export function withPaths(text: string, paths: readonly string[]): string {
  const gap = text === '' || /\s$/.test(text) ? '' : ' ';
  return `${text}${gap}${paths.map((path) => `@${path}`).join(' ')} `;
}
