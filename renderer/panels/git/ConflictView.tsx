import { useState } from 'react';
import type { GitFile } from '../../../shared/contract/gitApi.ts';
import { Button } from '../../parts/Button.tsx';
import { cx } from '../../parts/cx.ts';
import { PathText } from '../../parts/PathText.tsx';
import { VisibleText } from '../../parts/VisibleText.tsx';
import { openFile } from '../../view/show.ts';
import { useWords } from '../../words/words.tsx';
import type { Action } from './useGit.ts';

type Choice = Extract<Action, { do: 'resolve' }>['choices'][number];
const sides: readonly Choice[] = ['ours', 'theirs', 'both'];

/** A file in conflict: both sides of each conflict, and a choice for each. */
export function ConflictView({ file, onAct }: { readonly file: GitFile; readonly onAct: (action: Action) => void }) {
  const { git: w } = useWords();
  const [chosen, setChosen] = useState<Readonly<Record<number, Choice>>>({});
  const { parts, id } = file.conflict ?? { parts: [], id: '' };
  const choices = parts.flatMap((_, at) => chosen[at] ?? []);
  return (
    <li className="my-1 overflow-hidden rounded-md border border-bad-edge">
      <div className="flex min-h-7 items-center gap-2 bg-bad-tint px-2 text-xs">
        <button type="button" className="flex min-w-0 flex-1 hover:underline" onClick={() => openFile(file.path)}>
          <PathText path={file.path} className="font-mono" />
        </button>
        {parts.length === 0 ? (
          <>
            <span className="text-soft">{w.noMarks}</span>
            <Button className="h-5.5" onClick={() => onAct({ do: 'stage', files: [file.path] })}>
              {w.markResolved}
            </Button>
          </>
        ) : (
          <Button
            look="primary"
            className="h-5.5"
            disabled={choices.length < parts.length}
            onClick={() => onAct({ do: 'resolve', file: file.path, of: id, choices })}
          >
            {w.resolve(choices.length, parts.length)}
          </Button>
        )}
      </div>
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: conflicts are told by their order alone
        <fieldset key={at} className="border-t border-line p-2">
          <legend className="sr-only">{w.conflict(at + 1, parts.length)}</legend>
          <div className="flex items-center gap-1 pb-1 text-2xs text-soft">
            <span className="flex-1">{w.conflict(at + 1, parts.length)}</span>
            {sides.map((side) => (
              <Button
                key={side}
                look="quiet"
                aria-pressed={chosen[at] === side}
                className="h-5 px-1.5 aria-pressed:bg-chosen aria-pressed:text-ink"
                onClick={() => setChosen((before) => ({ ...before, [at]: side }))}
              >
                {w.take[side]}
              </Button>
            ))}
          </div>
          <div className="grid grid-cols-2 gap-1.5">
            <Side title={part.oursName} text={part.ours} isOut={chosen[at] === 'theirs'} />
            <Side title={part.theirsName} text={part.theirs} isOut={chosen[at] === 'ours'} />
          </div>
        </fieldset>
      ))}
    </li>
  );
}

function Side({ title, text, isOut }: { readonly title: string; readonly text: string; readonly isOut: boolean }) {
  const { git: w } = useWords();
  return (
    <div className={cx('min-w-0 rounded-sm border border-line bg-inset', isOut && 'opacity-45')}>
      <p className="truncate border-b border-line px-2 py-0.5 text-2xs text-soft">
        <VisibleText text={title} />
      </p>
      <pre className="selectable max-h-48 overflow-auto px-2 py-1 font-mono text-xs">
        {text === '' ? <span className="text-soft">{w.nothing}</span> : <VisibleText text={text} />}
      </pre>
    </div>
  );
}
