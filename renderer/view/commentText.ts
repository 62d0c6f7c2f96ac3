import type { SessionState } from '../../shared/model/sessionState.ts';
import { splitLines, withoutLineEnd } from '../../shared/text/lines.ts';
import type { Words } from '../words/words.tsx';
import type { LineComment, LineSpot } from './comments.ts';

/** Where commented lines are by now: their first line; `null` where they are nowhere any more. */
export function placeNow({ quote, from }: Pick<LineComment, 'quote' | 'from'>, text: string): number | null {
  const lines = splitLines(text).map(withoutLineEnd);
  const isAt = (at: number): boolean => quote.every((line, index) => lines[at - 1 + index] === line);
  let nearest: number | null = null;
  for (let at = 1; at <= lines.length; at++)
    if (isAt(at) && (nearest === null || Math.abs(at - from) < Math.abs(nearest - from))) nearest = at;
  return nearest;
}

/** `src/a.ts:3-5`, as programs and people write it. */
export function spotName({ of, path, from, to }: Pick<LineComment, 'of' | 'path' | 'from' | 'to'>): string {
  return of === 'plan' ? `${path} ${from}` : `${path}:${from}${to > from ? `-${to}` : ''}`;
}

/** One text of the plan as one line, the `number`th of its part. */
export function planSpot(part: string, number: number, text: string): LineSpot {
  return { path: part, of: 'plan', from: number, to: number, quote: [oneLine(text)] };
}

/** The texts of the plan by its parts, as `planSpot` names and writes them. */
export function planTexts(
  { steps, findings, constraints }: Pick<SessionState['facts'], 'steps' | 'findings' | 'constraints'>,
  words: Words['comments'],
): ReadonlyMap<string, string> {
  return new Map([
    [words.step, steps.map(({ intent }) => oneLine(intent)).join('\n')],
    [words.finding, findings.map(oneLine).join('\n')],
    [words.constraint, constraints.map(oneLine).join('\n')],
  ]);
}

const oneLine = (text: string): string => text.trim().replace(/\s*\n\s*/g, ' ');

/** What became of the lines since the comment was begun; undefined where they are as they were, or nobody can know. */
export function movedText(
  comment: LineComment,
  text: string | undefined,
  words: Words['comments'],
): string | undefined {
  if ((comment.of !== 'file' && comment.of !== 'plan') || text === undefined) return undefined;
  const now = placeNow(comment, text);
  if (now === comment.from) return undefined;
  return now === null ? words.gone : words.moved(now);
}

/** All comments as one message behind what was written in the field: each with its place and the lines it is about. */
export function commentsMessage(
  written: string,
  comments: readonly LineComment[],
  /** The texts of files as they are now. */
  texts: ReadonlyMap<string, string>,
  words: Words['comments'],
): string {
  const said = comments.map((comment) => {
    const { of, from, to, quote, text } = comment;
    const notes = [
      of === 'proposed' ? words.proposed : of === 'before' ? words.before : undefined,
      movedText(comment, texts.get(comment.path), words),
    ].filter((note) => note !== undefined);
    const more = to - from + 1 - quote.length;
    return [
      `${spotName(comment)}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`,
      ...quote.map((line) => `> ${line}`),
      ...(more > 0 ? [`> ${words.more(more)}`] : []),
      text.trim(),
    ].join('\n');
  });
  return [...(written.trim() === '' ? [] : [written.trim()]), ...said].join('\n\n');
}
