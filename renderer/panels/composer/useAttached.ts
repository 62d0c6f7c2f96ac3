import { useCallback, useEffect, useRef, useState } from 'react';
import { toast } from 'sonner';
import { useDraftPlace } from '../../view/drafts.ts';
import { useWords } from '../../words/words.tsx';
import { keepAttached, readAttached } from './attachedStore.ts';
import { type Attached, judgeFile, maxAttached, plainName, textOfBytes } from './attachments.ts';

/** What goes along with the message that is being written. Kept with its draft, so that a reload loses nothing. */
export function useAttached() {
  const words = useWords();
  const key = useDraftPlace();
  const [attached, setAttached] = useState<readonly Attached[]>([]);
  const now = useRef(attached);

  useEffect(() => {
    let current = true;
    now.current = [];
    setAttached([]);
    void readAttached(key).then((kept) => {
      if (!current) return;
      now.current = [...kept, ...now.current];
      setAttached(now.current);
    });
    return () => {
      current = false;
    };
  }, [key]);

  const change = useCallback(
    (next: readonly Attached[]): void => {
      now.current = next;
      setAttached(next);
      void keepAttached(key, next);
    },
    [key],
  );
  const add = async (files: readonly File[]): Promise<void> => {
    for (const file of files) {
      const judged = now.current.length >= maxAttached ? ({ ok: false, why: 'tooMany' } as const) : judgeFile(file);
      const name = plainName(file.name);
      if (!judged.ok) toast.error(words.composer.refused[judged.why](name));
      else if (judged.kind === 'text' && !(await isText(file))) toast.error(words.composer.refused.notText(name));
      else change([...now.current, { id: crypto.randomUUID(), kind: judged.kind, name, file }]);
    }
  };
  const remove = (id: string): void => change(now.current.filter((each) => each.id !== id));
  const clear = (): void => change([]);
  return { attached, add, remove, clear };
}

/** A folder looks like a file here, and cannot be read. */
async function isText(file: File): Promise<boolean> {
  try {
    return textOfBytes(new Uint8Array(await file.arrayBuffer())) !== undefined;
  } catch {
    return false;
  }
}
