import { type RefObject, useEffect, useRef } from 'react';

/** Gives the focus to a field that appears because the person asked to type in it. */
export function useFocusOnce<T extends HTMLElement>(): RefObject<T | null> {
  const field = useRef<T>(null);
  useEffect(() => field.current?.focus(), []);
  return field;
}
