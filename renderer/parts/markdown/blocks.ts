import { lexer, type MarkedToken } from 'marked';
import { withoutOpenMarks } from '../../../shared/text/withoutOpenMarks.ts';

export interface Blocks {
  readonly text: string;
  /** The top-level blocks; their `raw` joined is the text. */
  readonly blocks: readonly MarkedToken[];
}

export const noBlocks: Blocks = { text: '', blocks: [] };

/**
 * Parses Markdown into top-level blocks. Where the text only grew, all but the last two blocks of before stand (a list
 * can still swallow what follows it), so that a streamed reply costs what is new and not its whole length each frame.
 */
export function splitBlocks(text: string, before: Blocks = noBlocks): Blocks {
  if (text === before.text) return before;
  const grown = before.text !== '' && text.startsWith(before.text);
  const kept = grown ? before.blocks.slice(0, -2) : [];
  const from = kept.reduce((sum, { raw }) => sum + raw.length, 0);
  return { text, blocks: [...kept, ...parsed(text.slice(from))] };
}

/** What is nested deeper than the parser's stack is shown as it is written. */
function parsed(text: string): readonly MarkedToken[] {
  try {
    // Without extensions there are no other tokens.
    return lexer(withoutOpenMarks(text)) as MarkedToken[];
  } catch {
    return [{ type: 'text', raw: text, text }];
  }
}
