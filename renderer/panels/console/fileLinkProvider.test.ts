import { Terminal } from '@xterm/headless';
import type { ILink } from '@xterm/xterm';
import { expect, test } from 'vitest';
import { fileLinkProvider } from './fileLinkProvider.ts';

interface Clicked {
  readonly links: readonly { readonly text: string; readonly range: ILink['range'] }[];
  readonly opened: readonly unknown[];
}

/** Writes this on a narrow screen, asks for the links of one row, and presses each. */
async function press(output: string, row: number, files: readonly string[]): Promise<Clicked> {
  const terminal = new Terminal({ cols: 20, rows: 10, allowProposedApi: true });
  await new Promise<void>((done) => terminal.write(output, done));
  const opened: unknown[] = [];
  const provider = fileLinkProvider(terminal, {
    locate: async (paths) => paths.map((path) => (files.includes(path) ? `found/${path}` : null)),
    open: (...where) => opened.push(where),
  });
  const links = await new Promise<readonly ILink[]>((done) => provider.provideLinks(row, (found) => done(found ?? [])));
  for (const link of links) link.activate({} as MouseEvent, link.text);
  terminal.dispose();
  return { links: links.map(({ text, range }) => ({ text, range })), opened };
}

test('a place is a link where there is such a file, and opens it at its line and column', async () => {
  expect(await press('a.ts:3:7 b.ts:1', 1, ['a.ts'])).toEqual({
    links: [{ text: 'a.ts:3:7', range: { start: { x: 1, y: 1 }, end: { x: 8, y: 1 } } }],
    opened: [['found/a.ts', { line: 3, column: 7 }]],
  });
});

test('a place that runs over the end of a row is one link from either row, wide characters before it or not', async () => {
  const output = '你好 lib/deep/folder/file.go:120 rest';
  const link = {
    links: [{ text: 'lib/deep/folder/file.go:120', range: { start: { x: 6, y: 1 }, end: { x: 12, y: 2 } } }],
    opened: [['found/lib/deep/folder/file.go', { line: 120, column: 1 }]],
  };
  const file = ['lib/deep/folder/file.go'];
  expect([await press(output, 1, file), await press(output, 2, file)]).toEqual([link, link]);
});

test('nothing is asked about a row without places', async () => {
  expect(await press('done in 3 s', 1, ['done'])).toEqual({ links: [], opened: [] });
});
