import { useState } from 'react';
import { Button } from '../../parts/Button.tsx';
import { useFocusOnce } from '../../parts/useFocusOnce.ts';

/** A name, and where there is more to say, a text below it. */
export function NameForm({
  label,
  more,
  verb,
  onDone,
}: {
  readonly label: string;
  readonly more?: string;
  readonly verb: string;
  readonly onDone: (name: string, more: string) => void;
}) {
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const field = useFocusOnce<HTMLInputElement>();
  const look = 'min-w-0 flex-1 rounded-md border border-edge/70 bg-inset px-2 py-1 text-xs';
  return (
    <form
      className="flex flex-col gap-1.5 px-2 pb-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') onDone(name.trim(), text);
      }}
    >
      <div className="flex gap-1.5">
        <input
          ref={field}
          aria-label={label}
          placeholder={label}
          value={name}
          onChange={(event) => setName(event.target.value)}
          className={look}
        />
        <Button type="submit" disabled={name.trim() === ''}>
          {verb}
        </Button>
      </div>
      {more !== undefined && (
        <textarea
          aria-label={more}
          placeholder={more}
          rows={4}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className={look}
        />
      )}
    </form>
  );
}
