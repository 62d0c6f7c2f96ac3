import * as z from 'zod';
import { keptStore } from './keptStore.ts';

/** The project and the session that the window shows. */
export const useShown = keptStore(
  'vise.shown',
  z.object({
    project: z.string().nullable().catch(null),
    session: z.string().nullable().catch(null),
  }),
);
