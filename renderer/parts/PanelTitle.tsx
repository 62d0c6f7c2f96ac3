import type { ReactNode } from 'react';

export function PanelTitle({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="flex h-8.5 shrink-0 items-center gap-0.5 pr-1.5 pl-3">
      <h2 className="min-w-0 flex-1 truncate text-xs font-semibold text-soft">{title}</h2>
      {children}
    </div>
  );
}
