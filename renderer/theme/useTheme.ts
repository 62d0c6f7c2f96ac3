import { useEffect, useSyncExternalStore } from 'react';
import type { Settings } from '../../shared/model/settings.ts';

type Theme = 'dark' | 'light' | 'contrast';

const darkWanted = '(prefers-color-scheme: dark)';
const contrastWanted = '(prefers-contrast: more)';

function subscribe(listen: () => void): () => void {
  const queries = [darkWanted, contrastWanted].map((query) => matchMedia(query));
  for (const query of queries) query.addEventListener('change', listen);
  return () => {
    for (const query of queries) query.removeEventListener('change', listen);
  };
}

function systemTheme(): Theme {
  if (matchMedia(contrastWanted).matches) return 'contrast';
  return matchMedia(darkWanted).matches ? 'dark' : 'light';
}

/** Puts the theme on the page. The high-contrast one builds on the dark scales. */
export function useTheme(setting: Settings['theme']): Theme {
  const system = useSyncExternalStore(subscribe, systemTheme);
  const theme = setting === 'system' ? system : setting;
  useEffect(() => {
    document.documentElement.className = theme === 'contrast' ? 'dark contrast' : theme;
  }, [theme]);
  return theme;
}
