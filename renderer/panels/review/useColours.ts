import { useEffect, useReducer } from 'react';
import { highlight, languageOfPath, type TokenLine } from '../../parts/code/highlight.ts';
import type { SideColours } from './DiffLine.tsx';
import type { DrawnFile } from './scrollRows.ts';

/** Colours by what they belong to; those of the texts that were on show last are kept. */
const known = new Map<string, readonly TokenLine[] | undefined>();
const mostKnown = 200;
const plain: SideColours = { old: undefined, now: undefined };

/** The colours of the files on show: a file stands there in one colour until they have come. */
export function useColours(
  drawn: readonly DrawnFile[],
  visible: ReadonlySet<number | undefined>,
): (one: DrawnFile) => SideColours {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const wanted = drawn.flatMap((one, index) => (visible.has(index) ? sidesOf(one) : []));
  const missing = wanted.filter(({ key }) => !known.has(key));
  useEffect(() => {
    if (missing.length === 0) return;
    const idle = requestIdleCallback(
      () => {
        for (const { key, text, language } of missing) {
          if (known.has(key)) continue;
          known.set(key, undefined);
          void highlight(text, language)
            .catch(() => undefined)
            .then((lines) => {
              known.set(key, lines);
              while (known.size > mostKnown) known.delete(known.keys().next().value ?? '');
              if (lines) redraw();
            });
        }
      },
      { timeout: 200 },
    );
    return () => cancelIdleCallback(idle);
  });
  return (one) => {
    const [old, now] = sidesOf(one);
    return old && now ? { old: known.get(old.key), now: known.get(now.key) } : plain;
  };
}

function sidesOf({ file: { change, review }, texts }: DrawnFile) {
  if (!texts) return [];
  const language = languageOfPath(change.path);
  const edited = review?.decision.edited?.text;
  return [
    { key: `${language} ${change.before}`, text: texts.before, language },
    { key: `${language} ${edited ?? change.after}`, text: edited ?? texts.after, language },
  ];
}
