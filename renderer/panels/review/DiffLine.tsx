import { memo } from 'react';
import { visible } from '../../../shared/text/visible.ts';
import type { TokenLine } from '../../parts/code/highlight.ts';
import { linePieces } from '../../parts/code/linePieces.ts';
import { type CommentedText, LineCommentButton } from '../../parts/comments/LineCommentButton.tsx';
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
  texts,
}: {
  readonly row: Extract<DiffRow, { kind: 'line' | 'pair' }>;
  readonly colours: SideColours;
  /** What differs within the line, where its counterpart is known. */
  readonly words: { readonly old: readonly Span[]; readonly now: readonly Span[] } | undefined;
  /** Both sides, as what they are commented on. */
  readonly texts: { readonly old: CommentedText; readonly now: CommentedText } | undefined;
}) {
  if (row.kind === 'pair')
    return (
      <div className="diff-pair">
        <Half mark="removed" side={row.old} sign="−" tokens={colours.old} spans={words?.old} text={texts?.old} />
        <Half mark="added" side={row.now} sign="+" tokens={colours.now} spans={words?.now} text={texts?.now} />
      </div>
    );
  const { mark, old, now } = row;
  const side = now ?? old;
  const text = now && mark !== 'kept' ? texts?.now : texts?.old;
  return (
    <div className="diff-line group/line" data-mark={mark} {...lineData(side, text)}>
      <span className="diff-number">
        {side && text && <LineCommentButton text={text} line={side.number} />}
        {old?.number}
      </span>
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

/** By what a selection over several lines finds them. */
function lineData(side: Side | undefined, text: CommentedText | undefined) {
  return side && text ? { 'data-line': side.number, 'data-text': `${text.of} ${text.path}` } : {};
}

function Half({
  mark,
  side,
  sign,
  tokens,
  spans = noSpans,
  text,
}: {
  readonly mark: 'added' | 'removed';
  readonly text: CommentedText | undefined;
  readonly side: Side | undefined;
  readonly sign: string;
  readonly tokens: readonly TokenLine[] | undefined;
  readonly spans: readonly Span[] | undefined;
}) {
  return (
    <div className="diff-line group/line" data-mark={side ? mark : 'none'} {...lineData(side, text)}>
      <span className="diff-number">
        {side && text && <LineCommentButton text={text} line={side.number} />}
        {side?.number}
      </span>
      <span className="diff-sign">{side && sign}</span>
      <Code text={side?.text ?? ''} tokens={side && tokens?.[side.number - 1]} spans={spans} />
    </div>
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
