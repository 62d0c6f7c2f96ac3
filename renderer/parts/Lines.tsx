import { cx } from './cx.ts';

/** `+12 −3`, with words for those who hear it. */
export function Lines({
  additions,
  deletions,
  className,
}: {
  readonly additions: number;
  readonly deletions: number;
  readonly className?: string;
}) {
  return (
    <span className={cx('tabular shrink-0 font-mono text-2xs', className)}>
      <span className="text-good">+{additions}</span> <span className="text-bad">−{deletions}</span>
    </span>
  );
}
