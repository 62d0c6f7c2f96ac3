import { toast } from 'sonner';
import type { Client } from '../../../shared/contract/client.ts';
import { valueOrToast } from '../../client/client.ts';
import { copyText } from '../../parts/copyText.ts';
import type { Words } from '../../words/words.tsx';

/** What one answer may carry; a clipboard with more is of no use to anybody. */
export const mostCopiedBytes = 4_000_000;

/** Copies the output as plain text, from the log: more than the screen has. Of a long one the end is copied, and that is said. */
export async function copyOutput(
  client: Client,
  words: Words,
  target: { readonly session: string; readonly task: string },
): Promise<void> {
  const start = await valueOrToast(client.call('task.log', { ...target, offset: 0, maxBytes: mostCopiedBytes }));
  if (!start) return;
  const rest = start.sizeBytes - mostCopiedBytes;
  const end =
    rest > 0
      ? await valueOrToast(client.call('task.log', { ...target, offset: rest, maxBytes: mostCopiedBytes }))
      : start;
  if (!end) return;
  await copyText(end.text, words);
  if (rest > 0) toast(words.console.copiedEnd(start.path));
}
