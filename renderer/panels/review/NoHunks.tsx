import { ArrowRight, FileX2 } from 'lucide-react';
import type { Change } from '../../../shared/model/change.ts';
import type { Content } from '../../parts/useContent.ts';
import { bytesText } from '../../words/amounts.ts';
import { useWords } from '../../words/words.tsx';

/** What a change without lines to compare does: binary content, a new name, a new right, an empty file. Judged as a whole. */
export function NoHunks({
  change,
  before,
  after,
}: {
  readonly change: Pick<Change, 'path' | 'oldPath' | 'status' | 'before' | 'after' | 'binary' | 'executable'>;
  readonly before: Content;
  readonly after: Content;
}) {
  const { review } = useWords();
  const isBinary = before.state === 'binary' || after.state === 'binary';
  const isEmpty = change.status !== 'renamed' && after.state === 'text' && after.text === '';
  const facts = [
    change.oldPath === undefined ? null : review.movedFrom(change.oldPath),
    change.executable === undefined ? null : change.executable ? review.executable : review.plain,
    isBinary ? review.binary : isEmpty ? review.emptyFile : review.sameContent,
  ].filter((fact) => fact !== null);
  return (
    <section
      aria-label={`${review.title}: ${change.path}`}
      className="flex min-h-0 flex-1 flex-col items-center justify-center gap-3 overflow-y-auto p-6 text-center"
    >
      <FileX2 aria-hidden className="size-6 text-soft" />
      <div>
        <h3 className="font-medium">
          {change.path} · {review[change.status]}
        </h3>
        {facts.map((fact) => (
          <p key={fact} className="mt-0.5 text-soft">
            {fact}
          </p>
        ))}
      </div>
      {isBinary && (
        <div className="flex items-center gap-3">
          {change.before !== null && <Side content={before} name={review.before} />}
          {change.before !== null && change.after !== null && (
            <ArrowRight aria-hidden className="size-4 shrink-0 text-soft" />
          )}
          {change.after !== null && <Side content={after} name={review.after} />}
        </div>
      )}
      <p className="max-w-sm text-xs text-balance text-soft">{review.asWhole}</p>
    </section>
  );
}

function Side({ content, name }: { readonly content: Content; readonly name: string }) {
  const sizeBytes =
    content.state === 'binary' ? content.sizeBytes : content.state === 'text' ? content.text.length : undefined;
  return (
    <figure className="min-w-0 rounded-md border border-line bg-inset p-2">
      {content.state === 'binary' && content.image && (
        <img src={content.image} alt={name} className="mx-auto mb-1.5 max-h-48 max-w-full object-contain" />
      )}
      <figcaption className="tabular text-2xs text-soft">
        {name}
        {sizeBytes !== undefined && ` · ${bytesText(sizeBytes)}`}
      </figcaption>
    </figure>
  );
}
