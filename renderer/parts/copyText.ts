import { toast } from 'sonner';
import type { Words } from '../words/words.tsx';

export async function copyText(text: string, words: Words): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    // One line however often: a heap of them would hide the console.
    toast(words.common.copied, { id: 'copied' });
  } catch (error) {
    toast.error(String(error));
  }
}
