import type { ILink, ILinkProvider, Terminal } from '@xterm/xterm';
import { type FileLink, fileLinksIn } from './fileLinks.ts';
import { type ScreenLine, screenLineAt } from './screenLine.ts';

export interface FilePlaces {
  /** Which of the paths name a file of the project; null for the others. */
  readonly locate: (paths: readonly string[]) => Promise<readonly (string | null)[]>;
  readonly open: (path: string, at: { readonly line: number; readonly column: number }) => void;
}

/** Makes links of places that name a file of the project; what names none stays text. */
export function fileLinkProvider(terminal: Pick<Terminal, 'buffer'>, { locate, open }: FilePlaces): ILinkProvider {
  const look = async (row: number): Promise<ILink[]> => {
    const line = screenLineAt(terminal.buffer.active, row);
    const places = fileLinksIn(line.text);
    if (places.length === 0) return [];
    const files = await locate(places.map(({ path }) => path));
    return places.flatMap((place, index) => {
      const file = files[index];
      const range = file ? rangeOf(place, line) : undefined;
      if (!file || !range) return [];
      return [
        {
          range,
          text: line.text.slice(place.from, place.to),
          activate: () => open(file, { line: place.line, column: place.column ?? 1 }),
        },
      ];
    });
  };
  return {
    provideLinks: (y, answer) => void look(y - 1).then((links) => answer(links.length > 0 ? links : undefined)),
  };
}

function rangeOf({ from, to }: FileLink, { cells }: ScreenLine): ILink['range'] | undefined {
  const start = cells[from];
  const end = cells[to - 1];
  return start && end && { start, end };
}
