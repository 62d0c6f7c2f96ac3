import { Fragment } from 'react';
import { liveCallsOf } from '../../../shared/model/reduce.ts';
import { Markdown } from '../../parts/markdown/Markdown.tsx';
import { useNow } from '../../parts/useNow.ts';
import { useSession } from '../../view/useSession.ts';
import { clockText } from '../../words/amounts.ts';
import { useWords } from '../../words/words.tsx';
import { Reasoning } from './Reasoning.tsx';

/** What the model is writing now. Its last line always stands, so that nothing jumps when words begin or end. */
export function Live() {
  const words = useWords();
  const text = useSession(({ turn }) => turn?.text ?? '');
  const reasoning = useSession(({ turn }) => turn?.reasoning ?? '');
  const startedAt = useSession(({ turn }) => turn?.startedAt ?? '');
  const isWaiting = useSession((session) => liveCallsOf(session).some(({ state }) => state === 'waiting'));
  const word = isWaiting
    ? words.call.waiting
    : reasoning !== '' && text === ''
      ? words.talk.thinking
      : words.talk.working;
  return (
    <Fragment>
      {reasoning !== '' && <Reasoning text={reasoning} isLive={text === ''} />}
      {text !== '' && (
        <div className="py-1.5 text-base">
          <Markdown text={text} />
        </div>
      )}
      <p className="flex h-7 items-center gap-2 text-xs text-soft" aria-live="polite">
        <span
          aria-hidden
          className={isWaiting ? 'size-2 rounded-full bg-warn' : 'pulse size-2 rounded-full bg-accent'}
        />
        {word}
        <Clock since={startedAt} />
      </p>
    </Fragment>
  );
}

function Clock({ since }: { readonly since: string }) {
  return (
    <span aria-hidden className="tabular">
      {clockText(useNow() - Date.parse(since))}
    </span>
  );
}
