import { type DiffRun, diffRuns } from '../../../shared/text/diffRuns.ts';
import { splitLines } from '../../../shared/text/lines.ts';
import type { NewContent } from './proposedChange.ts';

const known = new WeakMap<NewContent, { readonly before: string; readonly runs: readonly DiffRun[] }>();

/** Whoever made a content from a text by replacing lines knows the runs; nobody has to look for them again. */
export function rememberRuns(content: NewContent, before: string, runs: readonly DiffRun[]): void {
  known.set(content, { before, runs });
}

/** The runs of lines in which a proposed content (null: none) differs from the text before; found once for each pair. */
export function runsBetween(before: string, content: NewContent | null): readonly DiffRun[] {
  const found = content && known.get(content);
  if (found && found.before === before) return found.runs;
  const runs = diffRuns(splitLines(before), splitLines(content && 'text' in content ? content.text : ''));
  if (content) rememberRuns(content, before, runs);
  return runs;
}
