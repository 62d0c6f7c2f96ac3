import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A page as it stands, and as it should: what people wrote, then what is made. */
export interface MadePage {
  readonly written: string;
  readonly fresh: string;
}

/**
 * Holds a page of docs/ against what is made for its end, below the line `<!-- table: made by MAKER -->`; the text above is
 * written by people. With VISE_UPDATE_DOCS=1 the page is written anew first. Throws where the page lacks that line.
 */
export function madePage(name: string, maker: string, made: string): MadePage {
  const page = join(import.meta.dirname, '..', 'docs', name);
  const start = `<!-- table: made by ${maker} -->`;
  const text = readFileSync(page, 'utf8');
  const at = text.indexOf(start);
  if (at < 0) throw new Error(`docs/${name} lacks the line ${start}`);
  return madeFile(page, `${text.slice(0, at + start.length)}\n${made}\n`);
}

/** The same for a file that is made whole. One that is not there yet is empty. */
export function madeFile(path: string, fresh: string): MadePage {
  if (process.env['VISE_UPDATE_DOCS'] === '1') writeFileSync(path, fresh);
  return { written: existsSync(path) ? readFileSync(path, 'utf8') : '', fresh };
}

/** What a test that finds one stale says. */
export const stalePage = 'It is stale; this makes it anew: VISE_UPDATE_DOCS=1 npx vitest run Table.test notice.test';

/** A table of a page; a `|` in a cell would end it, so it is escaped. */
export function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(heads),
    `|${'---|'.repeat(heads.length)}`,
    ...rows.map((cells) => line(cells.map((cell) => cell.replaceAll('|', '\\|')))),
  ].join('\n');
}
