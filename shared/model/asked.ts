import * as z from 'zod';
import type { Immutable } from '../immutable.ts';

/** One question in words; `choices` are words that will do, the first the usual one, with `isOpen` others as well. */
export const askedSchema = z.lazy(() =>
  z.object({
    question: z.string(),
    choices: z.array(z.string()).optional(),
    isOpen: z.boolean().optional(),
    /** Several of the choices will do together. */
    isMultiple: z.boolean().optional(),
  }),
);
export type Asked = Immutable<z.infer<typeof askedSchema>>;

/** What a person has for one question: choices, own words, or both. */
export interface Said {
  readonly picked: readonly string[];
  readonly text: string;
}

/** All questions of one call. */
export function allAsked(preview: Asked & { readonly more?: readonly Asked[] | undefined }): readonly Asked[] {
  return [preview, ...(preview.more ?? [])];
}

export function isSaid({ picked, text }: Said): boolean {
  return picked.length > 0 || text.trim() !== '';
}

/** What was said to all questions as one message: alone as it is, else each below its question. Empty when nothing was said. */
export function answerText(asked: readonly Asked[], said: readonly Said[]): string {
  const given = asked.map((_, at) => wordsOf(said[at]));
  if (asked.length === 1 || given.every((words) => words === '')) return given[0] ?? '';
  return asked.map(({ question }, at) => `${at + 1}. ${question}\n${given[at] || '(no answer)'}`).join('\n\n');
}

function wordsOf(said: Said | undefined): string {
  const parts = [...(said?.picked ?? []), said?.text ?? ''].filter((part) => part.trim() !== '');
  return parts.length > 1 ? parts.map((part) => `- ${part.trim()}`).join('\n') : (parts[0] ?? '');
}
