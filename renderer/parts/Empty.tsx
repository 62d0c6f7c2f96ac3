import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** What a panel shows while it has nothing to show: what it is for, and how it gets filled. */
export function Empty({
  icon: Icon,
  title,
  children,
}: {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className="flex h-full flex-col items-center justify-center gap-1 px-6 py-4 text-center">
      <Icon aria-hidden className="mb-1 size-5 text-soft opacity-70" strokeWidth={1.5} />
      <p className="text-sm font-medium">{title}</p>
      {children && <div className="max-w-72 text-xs text-balance text-soft">{children}</div>}
    </div>
  );
}
