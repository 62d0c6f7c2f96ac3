import { useSyncExternalStore } from 'react';

/** Below this the three columns would each be too narrow to read (px): their least widths and the borders between them. */
const narrow = '(max-width: 899px)';

function subscribe(listen: () => void): () => void {
  const query = matchMedia(narrow);
  query.addEventListener('change', listen);
  return () => query.removeEventListener('change', listen);
}

/** Whether the window shows one panel at a time. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(narrow).matches);
