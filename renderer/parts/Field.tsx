import { type ComponentProps, type ReactNode, useId } from 'react';
import { cx } from './cx.ts';

export const inputLook =
  'h-7 w-full min-w-0 rounded-md border border-edge/70 bg-inset px-2.5 text-sm outline-none focus-visible:border-accent disabled:opacity-50';

/** A labelled line of a form. */
export function Field({
  label,
  note,
  children,
}: {
  readonly label: string;
  readonly note?: ReactNode;
  readonly children: (id: string) => ReactNode;
}) {
  const id = useId();
  return (
    <div className="grid grid-cols-[11rem_minmax(0,1fr)] items-start gap-x-4 py-1.5">
      <label htmlFor={id} className="pt-1 text-soft">
        {label}
      </label>
      <div>
        {children(id)}
        {note && <p className="mt-1 text-xs text-soft">{note}</p>}
      </div>
    </div>
  );
}

export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={cx(inputLook, className)} />;
}

export function SelectInput({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <select {...rest} className={cx(inputLook, 'pr-1', className)}>
      {children}
    </select>
  );
}

/** A number that is saved when the person leaves the field, and only when it is one. */
export function NumberInput({
  id,
  value,
  least,
  unit,
  onSave,
}: {
  readonly id: string;
  readonly value: number;
  readonly least: number;
  readonly unit?: string;
  readonly onSave: (value: number) => void;
}) {
  return (
    <span className="flex items-center gap-2">
      <input
        // A new value from elsewhere makes a new field.
        key={value}
        id={id}
        type="number"
        min={least}
        step={1}
        defaultValue={value}
        className={cx(inputLook, '!w-24')}
        onBlur={(event) => {
          const typed = event.target.valueAsNumber;
          if (Number.isInteger(typed) && typed >= least && typed !== value) onSave(typed);
          else event.target.value = String(value);
        }}
      />
      {unit && <span className="text-xs text-soft">{unit}</span>}
    </span>
  );
}
