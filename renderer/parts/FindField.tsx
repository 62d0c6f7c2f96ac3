import { CaseSensitive, ChevronDown, ChevronUp, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useWords } from '../words/words.tsx';
import { IconButton } from './Button.tsx';
import { cx } from './cx.ts';
import { isComposing } from './keys.ts';
import { useFocusOnce } from './useFocusOnce.ts';

/** The bar that finds a text in what is shown: Enter goes on, with Shift back, Escape leaves. */
export function FindField({
  label,
  query,
  caseSensitive,
  status,
  onChange,
  onStep,
  onClose,
  className,
  children,
}: {
  readonly label: string;
  readonly query: string;
  readonly caseSensitive: boolean;
  readonly status: string;
  readonly onChange: (query: string, caseSensitive: boolean) => void;
  readonly onStep: (by: -1 | 1) => void;
  readonly onClose: () => void;
  readonly className?: string;
  readonly children?: ReactNode;
}) {
  const words = useWords();
  const field = useFocusOnce<HTMLInputElement>();
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- `search` is a landmark; Escape leaves it from any of its buttons */}
      <search
        className={cx('flex items-center gap-0.5 rounded-lg border border-edge bg-raised p-1 shadow-pop', className)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
        }}
      >
        <input
          ref={field}
          aria-label={label}
          placeholder={label}
          value={query}
          onChange={(event) => onChange(event.target.value, caseSensitive)}
          onKeyDown={(event) => {
            if (isComposing(event.nativeEvent) || event.key !== 'Enter') return;
            onStep(event.shiftKey ? -1 : 1);
          }}
          className="h-6 w-44 min-w-0 bg-transparent px-2 text-xs outline-none"
        />
        <span role="status" className="tabular px-1 text-2xs whitespace-nowrap text-soft">
          {query !== '' && status}
        </span>
        <IconButton
          label={words.console.matchCase}
          aria-pressed={caseSensitive}
          onClick={() => onChange(query, !caseSensitive)}
        >
          <CaseSensitive />
        </IconButton>
        <IconButton label={words.console.previous} onClick={() => onStep(-1)}>
          <ChevronUp />
        </IconButton>
        <IconButton label={words.console.next} onClick={() => onStep(1)}>
          <ChevronDown />
        </IconButton>
        {children}
        <IconButton label={words.common.close} onClick={onClose}>
          <X />
        </IconButton>
      </search>
    </>
  );
}
