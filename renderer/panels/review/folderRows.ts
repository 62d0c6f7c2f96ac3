import type { ScrollFile } from './scrollFile.ts';

export type FolderRow =
  | { readonly kind: 'folder'; readonly path: string; readonly name: string; readonly depth: number }
  | { readonly kind: 'file'; readonly file: ScrollFile; readonly depth: number };

/** The files below their folders; folders that hold nothing but one folder are one row with it. */
export function folderRows(files: readonly ScrollFile[]): readonly FolderRow[] {
  const rows: FolderRow[] = [];
  const sorted = files.toSorted((a, b) => folderOf(a).localeCompare(folderOf(b)));
  /** The folders that lie above the row before. */
  let open: readonly string[] = [];
  for (const file of sorted) {
    const folder = folderOf(file);
    while (open.length > 0 && !(folder === open.at(-1) || folder.startsWith(`${open.at(-1)}/`)))
      open = open.slice(0, -1);
    const above = open.at(-1) ?? '';
    if (folder !== above) {
      const name = above === '' ? folder : folder.slice(above.length + 1);
      rows.push({ kind: 'folder', path: folder, name, depth: open.length });
      open = [...open, folder];
    }
    rows.push({ kind: 'file', file, depth: open.length });
  }
  return rows;
}

function folderOf({ change: { path } }: ScrollFile): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
