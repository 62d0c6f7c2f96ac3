import { useMemo, useState } from 'react';
import type { Call } from '../../../shared/model/call.ts';
import { changesOf, subagentEndOf } from '../../mirror/selectors.ts';
import { ContentPicture } from '../../parts/ContentPicture.tsx';
import { cx } from '../../parts/cx.ts';
import { Lines } from '../../parts/Lines.tsx';
import { Markdown } from '../../parts/markdown/Markdown.tsx';
import { PathText } from '../../parts/PathText.tsx';
import { VisibleText } from '../../parts/VisibleText.tsx';
import { plainOutput } from '../../parts/visibleText.ts';
import { showReview } from '../../view/show.ts';
import { useWords } from '../../words/words.tsx';

/** Everything about one call: what it was given, what it said, what it gave. */
export function CallDetails({ call }: { readonly call: Call }) {
  const words = useWords();
  const changes = changesOf(call);
  const { result, answer } = call;
  const end = subagentEndOf(call);
  return (
    <div className="flex flex-col gap-2 px-3 pt-0.5 pb-2.5">
      {changes.length > 0 && (
        <ul className="font-mono text-xs">
          {changes.map((change) => (
            <li key={change.path} className="flex items-center gap-2">
              <button
                type="button"
                className="min-w-0 flex-1 hover:text-accent"
                onClick={() => showReview(change.path)}
              >
                <PathText path={change.path} />
              </button>
              <Lines additions={change.additions} deletions={change.deletions} />
            </li>
          ))}
        </ul>
      )}
      <Part title={words.call.input} text={textOf(call.input)} />
      {call.output && !end && <Part title={words.call.output} text={plainOutput(call.output)} fromEnd />}
      {end && <Part title={words.call.steps} text={end.steps.join('\n')} />}
      {end && end.report !== '' && (
        <section>
          <h4 className="mb-0.5 text-2xs font-medium text-soft">{words.call.report}</h4>
          <Markdown text={end.report} />
        </section>
      )}
      {result && !(end && result.success) && (
        <Part
          title={words.call.result}
          text={result.success ? resultText(result.data) : `${result.error.code}: ${result.error.message}`}
          isError={!result.success}
        />
      )}
      {call.brought?.pictures?.map((picture) => (
        <ContentPicture key={picture.content} picture={picture} alt={words.call.picture} />
      ))}
      {result?.warnings?.map((warning) => (
        <p key={warning} className="text-xs text-warn">
          {warning}
        </p>
      ))}
      {answer && (
        <p className="text-2xs text-soft">
          {answer.decision === 'deny'
            ? words.call.deniedBecause(answer.reason || words.call.by[answer.by])
            : words.call.allowedBy(words.call.by[answer.by])}
          {answer.rule && (
            <>
              {': '}
              <code className="selectable font-mono">{answer.rule}</code>
            </>
          )}
        </p>
      )}
    </div>
  );
}

const shownLines = 14;

function Part({
  title,
  text,
  isError = false,
  fromEnd = false,
}: {
  readonly title: string;
  readonly text: string;
  readonly isError?: boolean;
  readonly fromEnd?: boolean;
}) {
  const words = useWords();
  const [whole, setWhole] = useState(false);
  const lines = useMemo(() => text.replace(/\n+$/, '').split('\n'), [text]);
  const hidden = whole ? 0 : Math.max(0, lines.length - shownLines);
  const shown = hidden === 0 ? lines : fromEnd ? lines.slice(-shownLines) : lines.slice(0, shownLines);
  const more = hidden > 0 && (
    <button type="button" className="text-2xs text-accent hover:underline" onClick={() => setWhole(true)}>
      {words.call.shortened(hidden)}
    </button>
  );
  return (
    <section>
      <h4 className="mb-0.5 text-2xs font-medium text-soft">{title}</h4>
      {fromEnd && more}
      <pre
        className={cx(
          'selectable max-h-80 overflow-auto rounded-md border border-line bg-inset px-2 py-1.5 font-mono text-2xs leading-4.5 break-words whitespace-pre-wrap',
          isError && 'text-bad',
        )}
      >
        <VisibleText text={shown.join('\n')} />
      </pre>
      {!fromEnd && more}
    </section>
  );
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value, null, 2) ?? '';
}

/** A result as words where it is words: one long text among its values is read better than quoted. */
function resultText(data: unknown): string {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return plainOutput(textOf(data));
  const entries = Object.entries(data);
  const long = entries.filter(([, value]) => typeof value === 'string' && value.includes('\n'));
  if (long.length === 0) return textOf(data);
  const rest = Object.fromEntries(entries.filter((entry) => !long.includes(entry)));
  const head = Object.keys(rest).length > 0 ? `${JSON.stringify(rest)}\n` : '';
  return head + long.map(([key, value]) => `${key}:\n${plainOutput(String(value))}`).join('\n');
}
