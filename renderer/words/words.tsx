import { createContext, use } from 'react';
import type { Settings } from '../../shared/model/settings.ts';
import { en, type Words } from './en.ts';
import { zh } from './zh.ts';

export type { Words };

/** The table for a setting; `system` follows the first language of the browser that Vise speaks. */
export function wordsFor(language: Settings['language'], preferred: readonly string[]): Words {
  if (language === 'en') return en;
  if (language === 'zh-CN') return zh;
  const known = preferred.find((tag) => /^(en|zh)\b/i.test(tag));
  return known && /^zh\b/i.test(known) ? zh : en;
}

export const WordsContext = createContext<Words>(en);

export function useWords(): Words {
  return use(WordsContext);
}
