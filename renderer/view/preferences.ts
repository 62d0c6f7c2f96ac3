import * as z from 'zod';
import { keptStore } from './keptStore.ts';

/** What the person has chosen for this window, apart from the settings, which are the engine's. */
export const usePreferences = keptStore(
  'vise.preferences',
  z.object({
    /** The system tells of questions and ended turns while the window is not looked at. */
    notify: z.boolean().catch(false),
    /** Projects whose note about *Restricted* was put off. */
    restrictedHidden: z.array(z.string()).readonly().catch([]),
    /** Sessions that stand on top of the list. */
    pinned: z.array(z.string()).readonly().catch([]),
    /** The list of sessions shows those of all projects. */
    allProjects: z.boolean().catch(false),
  }),
);

/** The newest hundred folders are remembered. */
export function hideRestricted(path: string): void {
  usePreferences.setState(({ restrictedHidden }) => ({ restrictedHidden: [...restrictedHidden, path].slice(-100) }));
}

/** A hundred may be pinned; then the oldest pin goes. */
export function togglePinned(session: string): void {
  usePreferences.setState(({ pinned }) => ({
    pinned: pinned.includes(session) ? pinned.filter((id) => id !== session) : [...pinned, session].slice(-100),
  }));
}
