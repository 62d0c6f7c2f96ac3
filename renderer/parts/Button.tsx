import type { ComponentProps, ReactNode } from 'react';
import { cx } from './cx.ts';
import { Tip } from './Tip.tsx';

const looks = {
  plain: 'border border-edge/70 bg-raised text-ink hover:bg-hover',
  primary: 'border border-transparent bg-accent-fill text-on-accent hover:brightness-110',
  danger: 'border border-transparent bg-bad-fill text-on-accent hover:brightness-110',
  quiet: 'border border-transparent text-soft hover:bg-hover hover:text-ink',
} as const;

export interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: keyof typeof looks;
}

export function Button({ look = 'plain', className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={cx(
        'inline-flex h-6.5 shrink-0 items-center justify-center gap-1.5 rounded-md px-2.5 text-xs font-medium whitespace-nowrap transition-colors',
        'disabled:pointer-events-none disabled:opacity-45 aria-disabled:opacity-55',
        looks[look],
        className,
      )}
    />
  );
}

export interface IconButtonProps extends ComponentProps<'button'> {
  readonly label: string;
  readonly keys?: string;
  readonly children: ReactNode;
}

/** A button of one icon. Its label is its name for everyone: in the tip and for screen readers. */
export function IconButton({ label, keys, className, children, ...rest }: IconButtonProps) {
  return (
    <Tip text={label} keys={keys}>
      <button
        type="button"
        aria-label={label}
        {...rest}
        className={cx(
          'inline-flex size-6 shrink-0 items-center justify-center rounded-md text-soft transition-colors hover:bg-hover hover:text-ink',
          'disabled:pointer-events-none disabled:opacity-40 aria-pressed:bg-hover aria-pressed:text-ink data-[state=open]:bg-hover data-[state=open]:text-ink',
          '[&_svg]:size-3.5',
          className,
        )}
      >
        {children}
      </button>
    </Tip>
  );
}
