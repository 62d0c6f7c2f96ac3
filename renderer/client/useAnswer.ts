import { useEffect, useEffectEvent, useState } from 'react';
import type { InputOf, MethodName, OutputOf } from '../../shared/contract/api.ts';
import type { Failure } from '../../shared/result.ts';
import { useClient } from './client.ts';

interface Options {
  /** Milliseconds to wait for another input: a typist's pause. */
  readonly pauseMs?: number;
  /** Asked anew when it changes, though the input is the same; the answer before stands until then. */
  readonly again?: string;
  readonly onFailure?: (failure: Failure) => void;
}

/**
 * The answer to a question of a component, asked anew when its input changes; null until the first is here and where there
 * is nothing to ask (`input` is null). With a pause, the last answer stands until the next one is here.
 */
export function useAnswer<M extends MethodName>(
  method: M,
  input: InputOf<M> | null,
  { pauseMs = 0, again = '', onFailure }: Options = {},
): OutputOf<M> | null {
  const client = useClient();
  const [answer, setAnswer] = useState<{ readonly of: string; readonly value: OutputOf<M> } | null>(null);
  const of = input === null ? '' : JSON.stringify(input);
  const fail = useEffectEvent((failure: Failure) => onFailure?.(failure));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` is no part of the question, only a reason to ask
  useEffect(() => {
    if (of === '') return;
    let current = true;
    const ask = async (): Promise<void> => {
      const found = await client.call(method, JSON.parse(of) as InputOf<M>); // written above
      if (!current) return;
      if (found.ok) setAnswer({ of, value: found.value });
      else fail(found.error);
    };
    const timer = pauseMs > 0 ? setTimeout(() => void ask(), pauseMs) : void ask();
    return () => {
      current = false;
      clearTimeout(timer ?? undefined);
    };
  }, [client, method, of, pauseMs, again]);
  return answer !== null && of !== '' && (answer.of === of || pauseMs > 0) ? answer.value : null;
}
