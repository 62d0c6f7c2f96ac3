import * as z from 'zod';
import type { Said } from '../../shared/model/asked.ts';
import { keptStore } from './keptStore.ts';

/** Of questions that nobody answered here; the oldest give way. */
const mostKept = 50;
const nothing: readonly Said[] = [];

/** Answers that are being given, by the id of their call: as they stand, so that a reload loses no keystroke. */
const useAnswers = keptStore(
  'vise.answers',
  z.object({
    drafts: z
      .record(z.string(), z.array(z.object({ picked: z.array(z.string()), text: z.string() })))
      .catch(() => ({}))
      .default(() => ({})),
  }),
);

export const useAnswerDraft = (call: string): readonly Said[] => useAnswers(({ drafts }) => drafts[call] ?? nothing);

export const answerDraft = (call: string): readonly Said[] => useAnswers.getState().drafts[call] ?? nothing;

export function writeAnswerDraft(call: string, at: number, said: Said): void {
  useAnswers.setState(({ drafts }) => {
    const { [call]: before = [], ...others } = drafts;
    const after = Array.from({ length: Math.max(before.length, at + 1) }, (_, index) => {
      const one = index === at ? said : before[index];
      return { picked: [...(one?.picked ?? [])], text: one?.text ?? '' };
    });
    return { drafts: Object.fromEntries([...Object.entries(others).slice(1 - mostKept), [call, after]]) };
  });
}

/** The question is answered: nothing of it need be kept. */
export function dropAnswerDraft(call: string): void {
  const { [call]: dropped, ...drafts } = useAnswers.getState().drafts;
  if (dropped) useAnswers.setState({ drafts });
}
