import * as z from 'zod';
import type { Immutable } from '../immutable.ts';
import { contentIdSchema } from './change.ts';

/** A picture by its identity; its bytes lie in the session's contents and are fetched with `content.read`. */
export const pictureSchema = z.lazy(() =>
  z.object({
    content: contentIdSchema,
    mediaType: z.string(),
    /** Pixels, where they are known. */
    width: z.number().optional(),
    height: z.number().optional(),
  }),
);
export type Picture = Immutable<z.infer<typeof pictureSchema>>;

/** One tab of the browser. Of a page that the rules hide, only that it is there. */
export const tabSchema = z.lazy(() =>
  z.object({ id: z.number(), url: z.string(), title: z.string(), active: z.boolean() }),
);
export type Tab = Immutable<z.infer<typeof tabSchema>>;

/** What a call that went well brought beside its answer: said by the tool itself, for whoever builds on it. */
export const broughtSchema = z.lazy(() =>
  z.object({
    /** Paths of the project whose text it brought. */
    files: z.array(z.string()).optional(),
    pictures: z.array(pictureSchema).optional(),
    /** The browser's tabs after it. */
    tabs: z.array(tabSchema).optional(),
  }),
);
export type Brought = Immutable<z.infer<typeof broughtSchema>>;

/** All of it as one; undefined where nothing was brought. The newest tabs count. */
export function joinBrought(all: readonly Brought[]): Brought | undefined {
  if (all.length === 0) return undefined;
  const files = [...new Set(all.flatMap((one) => one.files ?? []))];
  const pictures = all.flatMap((one) => one.pictures ?? []);
  return {
    files: files.length > 0 ? files : undefined,
    pictures: pictures.length > 0 ? pictures : undefined,
    tabs: all.findLast((one) => one.tabs !== undefined)?.tabs,
  };
}
