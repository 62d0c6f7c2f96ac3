import type { Finding } from '../../../shared/model/rehearsal.ts';
import { cx } from '../../parts/cx.ts';
import { VisibleText } from '../../parts/VisibleText.tsx';

/** One new finding of a check: which check, where, what. */
export function FindingLine({
  finding: { check, severity, file, line, message, rule },
}: {
  readonly finding: Omit<Finding, 'place'>;
}) {
  return (
    <p className="py-0.5 text-xs break-words">
      <span className={cx('font-medium', severity === 'error' ? 'text-bad' : 'text-warn')}>{check}</span>{' '}
      {file !== undefined && (
        <span className="font-mono text-soft">
          <VisibleText text={line === undefined ? file : `${file}:${line}`} />
        </span>
      )}{' '}
      <span className="text-ink">
        <VisibleText text={message} />
      </span>
      {rule !== undefined && <span className="text-soft"> {rule}</span>}
    </p>
  );
}
