import { useState } from 'react';
import { toast } from 'sonner';
import { useClient } from '../../client/client.ts';
import { useAnswer } from '../../client/useAnswer.ts';
import { Button } from '../../parts/Button.tsx';
import { Field, TextInput } from '../../parts/Field.tsx';
import { Modal } from '../../parts/Modal.tsx';
import { VisibleText } from '../../parts/VisibleText.tsx';
import { closeOverlay } from '../../view/overlay.ts';
import { focusComposer, showSession } from '../../view/show.ts';
import { useWords } from '../../words/words.tsx';

/** What a new lane would be, and what goes into it. A set-up command runs only where the person agrees to it here. */
export function NewLaneDialog({ home }: { readonly home: string }) {
  const { lanes: words, common, said } = useWords();
  const client = useClient();
  const [name, setName] = useState('');
  const [carries, setCarries] = useState(false);
  const [setsUp, setSetsUp] = useState(false);
  const [isMaking, setIsMaking] = useState(false);
  const [error, setError] = useState('');
  const plan = useAnswer('lane.plan', { project: home }, { onFailure: ({ message }) => setError(message) })?.plan;

  const make = async (): Promise<void> => {
    if (!plan || isMaking) return;
    setIsMaking(true);
    setError('');
    const made = await client.call('lane.create', {
      project: home,
      name: name.trim() || plan.name,
      carry: carries,
      setup: setsUp ? plan.setup : undefined,
    });
    // Its trust is that of its home: nothing is asked. The dialog stays until the session is there, so that what is typed goes into it.
    const opened = made.ok ? await client.call('project.open', { path: made.value.folder }) : made;
    setIsMaking(false);
    if (!made.ok || !opened.ok) return setError(opened.ok ? '' : opened.error.message);
    showSession(made.value.session, opened.value.project.path);
    closeOverlay();
    for (const note of made.value.notes) if (!plan.notes.includes(note)) toast(said(note));
    focusComposer();
  };
  return (
    <Modal
      title={words.create}
      note={words.note}
      onClose={closeOverlay}
      foot={
        <>
          <Button onClick={closeOverlay}>{common.cancel}</Button>
          <Button look="primary" disabled={!plan || isMaking} onClick={() => void make()}>
            {words.make}
          </Button>
        </>
      }
    >
      {!plan && error === '' && <div className="skeleton h-16" />}
      {plan && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void make();
          }}
        >
          <Field label={words.name} note={words.from(plan.from)}>
            {(id) => (
              <TextInput
                id={id}
                value={name}
                placeholder={plan.name}
                maxLength={40}
                spellCheck={false}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Field>
          {plan.uncommittedCount > 0 && (
            <label className="flex items-baseline gap-2 py-1" title={plan.uncommitted.join('\n')}>
              <input type="checkbox" checked={carries} onChange={() => setCarries(!carries)} />
              {words.carry(plan.uncommittedCount)}
            </label>
          )}
          {plan.setup !== '' && (
            <label className="flex items-baseline gap-2 py-1">
              <input type="checkbox" checked={setsUp} onChange={() => setSetsUp(!setsUp)} />
              <span>
                {words.setup}{' '}
                <code className="font-mono text-xs break-all">
                  <VisibleText text={plan.setup} />
                </code>
              </span>
            </label>
          )}
          {plan.notes.map((note) => (
            <p key={note} className="mt-1 text-xs text-soft">
              {said(note)}
            </p>
          ))}
        </form>
      )}
      {error !== '' && (
        <p role="alert" className="mt-2 text-bad">
          {error}
        </p>
      )}
    </Modal>
  );
}
