import { memo } from 'react';
import { visible } from '../../../shared/text/visible.ts';
import type { TokenLine } from '../../parts/code/highlight.ts';
import { linePieces } from '../../parts/code/linePieces.ts';
import type { DiffRow, Mark, Side } from './diffRows.ts';
import type { Span } from './wordDiff.ts';

const signs: Readonly<Record<Mark, string>> = { same: '', added: '+', removed: '−', kept: '' };
const namedParts = /(⟦[^⟧]*⟧|[\u2400-\u2421])/;
const noSpans: readonly Span[] = [];

/** The colours of both sides of a file. */
export interface SideColours {
  readonly old: readonly TokenLine[] | undefined;
  readonly now: readonly TokenLine[] | undefined;
}

/** One line of a diff, or both sides of one beside each other. Long lines are wrapped. */
export const DiffLine = memo(function DiffLine({
  row,
  colours,
  words,
}: {
  readonly row: Extract<DiffRow, { kind: 'line' | 'pair' }>;
  readonly colours: SideColours;
  /** What differs within the line, where its counterpart is known. */
  readonly words: { readonly old: readonly Span[]; readonly now: readonly Span[] } | undefined;
}) {
  if (row.kind === 'pair')
    return (
      <div className="diff-pair">
        <div className="diff-line" data-mark={row.old ? 'removed' : 'none'}>
          <Half side={row.old} sign="−" tokens={colours.old} spans={words?.old} />
        </div>
        <div className="diff-line" data-mark={row.now ? 'added' : 'none'}>
          <Half side={row.now} sign="+" tokens={colours.now} spans={words?.now} />
        </div>
      </div>
    );
  const { mark, old, now } = row;
  const side = now ?? old;
  return (
    <div className="diff-line" data-mark={mark}>
      <span className="diff-number">{old?.number}</span>
      <span className="diff-number">{mark === 'kept' ? '' : now?.number}</span>
      <span className="diff-sign">{signs[mark]}</span>
      <Code
        text={side?.text ?? ''}
        tokens={side && (mark === 'added' || mark === 'same' ? colours.now : colours.old)?.[side.number - 1]}
        spans={(mark === 'added' ? words?.now : mark === 'removed' ? words?.old : undefined) ?? noSpans}
      />
    </div>
  );
});

function Half({
  side,
  sign,
  tokens,
  spans = noSpans,
}: {
  readonly side: Side | undefined;
  readonly sign: string;
  readonly tokens: readonly TokenLine[] | undefined;
  readonly spans: readonly Span[] | undefined;
}) {
  return (
    <>
      <span className="diff-number">{side?.number}</span>
      <span className="diff-sign">{side && sign}</span>
      <Code text={side?.text ?? ''} tokens={side && tokens?.[side.number - 1]} spans={spans} />
    </>
  );
}

function Code({
  text,
  tokens,
  spans,
}: {
  readonly text: string;
  readonly tokens: TokenLine | undefined;
  readonly spans: readonly Span[];
}) {
  // What nobody would see, or what turns the reading direction, is shown by name (C5): there it matters more than colours.
  const { text: shown } = visible(text);
  if (shown !== text)
    return (
      <span className="diff-code" dir="ltr">
        {shown.split(namedParts).map((part, index) =>
          index % 2 === 1 ? (
            <span key={index} className="rounded-sm bg-warn-tint text-warn">
              {part}
            </span>
          ) : (
            part
          ),
        )}
      </span>
    );
  return (
    <span className="diff-code" dir="ltr">
      {linePieces(text, tokens, spans).map(({ text: piece, kind, isMarked }, index) =>
        isMarked ? (
          <mark key={index} className={kind && `word-${kind}`}>
            {piece}
          </mark>
        ) : (
          <span key={index} className={kind && `word-${kind}`}>
            {piece}
          </span>
        ),
      )}
    </span>
  );
}
