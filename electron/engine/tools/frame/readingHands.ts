import { fail } from '../../../../shared/result.ts';
import type { Hands, Look } from './tool.ts';

/** Hands that only look: what they are to write, run or keep is UNAVAILABLE. */
export function readingHands(look: Look, call: string, signal = new AbortController().signal): Hands {
  const refuse = async (): Promise<ReturnType<typeof fail>> => fail('UNAVAILABLE', 'Nothing is written or run here.');
  return {
    look,
    signal,
    call,
    output: () => undefined,
    bring: () => undefined,
    bringPicture: refuse,
    applyChanges: refuse,
    runCommand: refuse,
  };
}
