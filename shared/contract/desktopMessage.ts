import * as z from 'zod';

/**
 * What a page and the desktop that shows it say to each other beside the frames of the engine: the surroundings of the
 * window (menu, dialogs, notices), never the product. Another host has none of it.
 */
const path = z.string().min(1).max(4096);
const text = z.string().max(300);

const menuItem = z.lazy(() =>
  z.object({ id: z.string().max(60), label: text, keys: z.string().max(40).optional(), enabled: z.boolean() }),
);

/** Groups of commands, in the order of the menu bar. */
export const menuNames = ['file', 'session', 'view', 'help'] as const;
export type MenuName = (typeof menuNames)[number];

/** From the page. Everything else is dropped (S4). */
export const pageMessage = z.lazy(() =>
  z.discriminatedUnion('kind', [
    /** The page listens; what it was to show is told now. */
    z.object({ kind: z.literal('ready') }),
    z.object({
      kind: z.literal('menu'),
      menus: z.array(z.object({ name: z.enum(menuNames), label: text, items: z.array(menuItem).max(60) })).max(10),
    }),
    z.object({ kind: z.literal('chooseFolder'), id: z.int() }),
    /** Shows a file or folder of an opened project in the system's file manager; `path` is in that project. */
    z.object({ kind: z.literal('reveal'), project: path, path }),
    z.object({ kind: z.literal('notify'), title: text, body: text, project: path, session: z.string().max(100) }),
  ]),
);
export type PageMessage = z.infer<typeof pageMessage>;

/** To the page. */
export type DesktopMessage =
  | { readonly kind: 'command'; readonly id: string }
  /** Opens a folder as if it had been dropped, or shows a session that waits. */
  | { readonly kind: 'open'; readonly path: string }
  | { readonly kind: 'show'; readonly project: string; readonly session: string }
  /** The answer to `chooseFolder`; null when the dialog was closed without a choice. */
  | { readonly kind: 'folder'; readonly id: number; readonly path: string | null };
