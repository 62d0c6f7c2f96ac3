import { lexer } from 'marked';

export interface Blocks {
  readonly text: string;
  /** Source texts of the top-level blocks; joined they are the text. */
  readonly blocks: readonly string[];
}

export const noBlocks: Blocks = { text: '', blocks: [] };

/**
 * Splits Markdown into top-level blocks. Where the text only grew, all but the last two blocks of before stand (a list
 * can still swallow what follows it), so that a streamed reply costs what is new and not its whole length each frame.
 */
export function splitBlocks(text: string, before: Blocks = noBlocks): Blocks {
  if (text === before.text) return before;
  const grown = before.text !== '' && text.startsWith(before.text);
  const kept = grown ? before.blocks.slice(0, -2) : [];
  const from = kept.reduce((sum, block) => sum + block.length, 0);
  return { text, blocks: [...kept, ...lexer(text.slice(from)).map(({ raw }) => raw)] };
}
