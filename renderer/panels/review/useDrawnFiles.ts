import { useMemo, useRef, useState } from 'react';
import { useReviewLook } from '../../view/panelState.ts';
import type { ScrollFile } from './scrollFile.ts';
import { type DrawnFile, drawnFiles, type RunStop, runRows, type ScrollRow } from './scrollRows.ts';
import { useContents } from './useContents.ts';

/** From this width on both sides can be read beside each other (px). */
const besideFrom = 860;

/** The files of a scroll with their rows, and what of them is folded, opened and edited. */
export function useDrawnFiles(
  session: string,
  files: readonly ScrollFile[],
  width: number,
): {
  readonly drawn: readonly DrawnFile[];
  readonly rows: readonly { readonly row: ScrollRow; readonly file: number }[];
  /** The rows that are heads of files. */
  readonly heads: readonly number[];
  readonly stops: readonly RunStop[];
  readonly editing: string | null;
  readonly setEditing: (key: string | null) => void;
  readonly fold: (key: string, isFolded: boolean) => void;
  /** Shows the unchanged lines of a fold, by its first one. */
  readonly openFold: (key: string, from: number) => void;
} {
  const [opened, setOpened] = useState<ReadonlyMap<string, ReadonlySet<number>>>(new Map());
  const [folded, setFolded] = useState<Readonly<Record<string, boolean>>>({});
  const [editing, setEditing] = useState<string | null>(null);
  const contents = useContents(
    session,
    files.map(({ change }) => change),
  );
  const sides = useReviewLook((look) => look.sides);
  const isBeside = sides === 'beside' || (sides === 'auto' && width >= besideFrom);
  const known = useRef<ReadonlyMap<string, DrawnFile>>(new Map());
  const drawn = drawnFiles(files, { contents, isBeside, opened, folded, editing }, known.current);
  known.current = new Map(drawn.map((one) => [one.file.key, one]));
  const rows = useMemo(() => drawn.flatMap((one, file) => one.rows.map((row) => ({ row, file }))), [drawn]);
  const heads = useMemo(() => rows.flatMap(({ row }, index) => (row.kind === 'head' ? [index] : [])), [rows]);
  const stops = useMemo(() => runRows(drawn, rows), [drawn, rows]);
  return {
    drawn,
    rows,
    heads,
    stops,
    editing,
    setEditing,
    fold: (key, isFolded) => setFolded((before) => ({ ...before, [key]: isFolded })),
    openFold: (key, from) =>
      setOpened((before) => new Map(before).set(key, new Set([...(before.get(key) ?? []), from]))),
  };
}
