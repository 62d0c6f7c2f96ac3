import { useMemo } from 'react';
import * as z from 'zod';
import { keptStore } from './keptStore.ts';
import { useShown } from './shown.ts';

/** Longer quotes are cut where they are sent; of a file nobody reads more at once. */
export const maxQuotedLines = 20;
/** Over all sessions; the oldest give way. */
const mostKept = 200;

const commentSchema = z.object({
  /** The session in which it was written, or the project, where there is none yet. */
  place: z.string(),
  /** The file; of the plan, what part of it. */
  path: z.string(),
  /** What the lines are: of the file on the disk, of a proposal, of what a change replaced, of the plan. */
  of: z.enum(['file', 'proposed', 'before', 'plan']),
  /** First and last line, counted from 1. */
  from: z.int().positive(),
  to: z.int().positive(),
  /** The lines as they were when the comment began, at most `maxQuotedLines`. */
  quote: z.array(z.string()),
  text: z.string(),
});
export type LineComment = Readonly<z.infer<typeof commentSchema>>;
/** What a comment is about. */
export type LineSpot = Omit<LineComment, 'place' | 'text'>;

/** Comments on lines that wait to be sent together, of all sessions, oldest first: kept with every keystroke. */
const useAll = keptStore(
  'vise.comments',
  z.object({
    all: z
      .array(commentSchema)
      .catch(() => [])
      .default(() => []),
  }),
);

const placeOf = ({ project, session }: ReturnType<typeof useShown.getState>): string => session ?? project ?? '';

/** The same lines have one comment. */
export function spotKey({ of, path, from, to }: LineSpot): string {
  return `${of} ${path}:${from}-${to}`;
}

/** The comments of the session on show. */
export function useComments(): readonly LineComment[] {
  const place = useShown(placeOf);
  const all = useAll((state) => state.all);
  return useMemo(() => all.filter((one) => one.place === place), [all, place]);
}

export function currentComments(): readonly LineComment[] {
  const place = placeOf(useShown.getState());
  return useAll.getState().all.filter((one) => one.place === place);
}

/** Whether there is a comment to be sent. */
export const useHasComments = (): boolean => useComments().some(({ text }) => text.trim() !== '');

/** Writes, changes or (with an empty text and `isKept` false) drops the comment on these lines. */
export function writeComment(spot: LineSpot, text: string, isKept = false): void {
  const place = placeOf(useShown.getState());
  const { all } = useAll.getState();
  const key = spotKey(spot);
  const isSame = (one: LineComment): boolean => one.place === place && spotKey(one) === key;
  const quote = spot.quote.slice(0, maxQuotedLines);
  if (text === '' && !isKept) return useAll.setState({ all: all.filter((one) => !isSame(one)) });
  if (all.some(isSame)) return useAll.setState({ all: all.map((one) => (isSame(one) ? { ...one, text } : one)) });
  useAll.setState({ all: [...all.slice(1 - mostKept), { ...spot, quote, place, text }] });
}

/** They are sent: none of them waits any longer, also where they were written before there was a session. */
export function dropComments(sent: readonly LineComment[]): void {
  const keys = new Set(sent.map((one) => `${spotKey(one)} ${one.text}`));
  useAll.setState(({ all }) => ({ all: all.filter((one) => !keys.has(`${spotKey(one)} ${one.text}`)) }));
}

/** Comments go along into the session that was made for them. */
export function moveComments(from: string, to: string): void {
  useAll.setState(({ all }) => ({ all: all.map((one) => (one.place === from ? { ...one, place: to } : one)) }));
}
