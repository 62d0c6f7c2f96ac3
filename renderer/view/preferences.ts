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
  }),
);

/** The newest hundred folders are remembered. */
export function hideRestricted(path: string): void {
  usePreferences.setState(({ restrictedHidden }) => ({ restrictedHidden: [...restrictedHidden, path].slice(-100) }));
}
