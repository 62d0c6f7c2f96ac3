import { toast } from 'sonner';
import type { Words } from '../words/words.tsx';

export async function copyText(text: string, words: Words): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(words.common.copied);
  } catch (error) {
    toast.error(String(error));
  }
}
