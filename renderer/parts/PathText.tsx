import { cx } from './cx.ts';

/** A path whose name stays readable where room is short: the folder gives way first. */
export function PathText({ path, className }: { readonly path: string; readonly className?: string }) {
  const cut = path.lastIndexOf('/') + 1;
  return (
    <span className={cx('flex min-w-0 items-baseline', className)} title={path}>
      {cut > 0 && (
        <span className="min-w-0 shrink truncate text-soft" dir="ltr">
          {path.slice(0, cut)}
        </span>
      )}
      <span className="max-w-full shrink-0 truncate">{path.slice(cut)}</span>
    </span>
  );
}
