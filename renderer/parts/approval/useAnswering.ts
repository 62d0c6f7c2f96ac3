import { useState } from 'react';
import type { Result } from '../../../shared/result.ts';
import { valueOrToast } from '../../client/client.ts';
import { useGuard } from './useGuard.ts';

/** What the buttons of a card share: none counts too early (`card` changes with what is asked), and one answer at a time. */
export function useAnswering(card: string) {
  const [busy, setBusy] = useState(false);
  const { settled, guarded } = useGuard(card);
  return {
    busy,
    inert: !settled || busy,
    guarded,
    answering: (send: () => Promise<Result<unknown>>) =>
      guarded(() => {
        if (busy) return;
        setBusy(true);
        void valueOrToast(send()).then(() => setBusy(false));
      }),
  };
}

export type Answering = ReturnType<typeof useAnswering>;
