import * as z from 'zod';

/** What an entry of a folder is; `special` are sockets, pipes and devices. */
export const entryTypeSchema = z.lazy(() => z.enum(['file', 'directory', 'symlink', 'special']));
