import { type ReactNode, useEffect, useId, useState } from 'react';
import { callsOf } from '../../../shared/model/reduce.ts';
import { useClient } from '../../client/client.ts';
import { useAnswer } from '../../client/useAnswer.ts';
import { ensureSession } from '../../commands/actions.ts';
import { Button } from '../../parts/Button.tsx';
import { Field, inputLook, SelectInput, TextInput } from '../../parts/Field.tsx';
import { Modal } from '../../parts/Modal.tsx';
import { VisibleText } from '../../parts/VisibleText.tsx';
import { closeOverlay } from '../../view/overlay.ts';
import { useShown } from '../../view/shown.ts';
import { useSession } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { type ToolField, toolFields, toolInput } from './toolFields.ts';

/** One tool of the registry, called by the person: a form of its schema, the same gate, and its result. */
export function ToolDialog({ name }: { readonly name: string }) {
  const { palette, common, said } = useWords();
  const client = useClient();
  const form = useId();
  const project = useShown((shown) => shown.project) ?? '';
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [error, setError] = useState('');
  const [isCalling, setIsCalling] = useState(false);
  const [called, setCalled] = useState('');
  const tool = useAnswer('tool.input', { project, tool: name }, { onFailure: ({ message }) => setError(message) });
  const call = useSession((session) => (called === '' ? undefined : callsOf(session).find(({ id }) => id === called)));
  const isAsked = call?.state === 'waiting';
  // The question is answered where all are: in the conversation or the review.
  useEffect(() => {
    if (isAsked) closeOverlay();
  }, [isAsked]);
  const fields = tool ? toolFields(tool.schema) : [];

  const run = async (): Promise<void> => {
    if (isCalling) return;
    const read = toolInput(fields, typed);
    if ('wrong' in read) return setError(palette.unreadable(read.wrong));
    setError('');
    setCalled('');
    setIsCalling(true);
    const session = await ensureSession(client);
    const started = session && (await client.call('session.callTool', { session, tool: name, input: read.input }));
    setIsCalling(false);
    if (!started) return;
    if (started.ok) setCalled(started.value.call);
    else setError(started.error.message);
  };
  return (
    <Modal
      title={name}
      // As the agent reads it.
      note={tool && <span lang="en">{tool.about}</span>}
      onClose={closeOverlay}
      className="!w-[min(38rem,calc(100vw-2rem))]"
      foot={
        <>
          <Button onClick={closeOverlay}>{common.close}</Button>
          <Button look="primary" type="submit" form={form} disabled={!tool || isCalling}>
            {palette.call}
          </Button>
        </>
      }
    >
      {!tool && error === '' && <div className="skeleton h-16" />}
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        {fields.map((field) => (
          <Field key={field.name} label={field.name} note={field.about}>
            {(id) => (
              <Value
                id={id}
                field={field}
                value={typed[field.name] ?? ''}
                onChange={(value) => setTyped((before) => ({ ...before, [field.name]: value }))}
              />
            )}
          </Field>
        ))}
      </form>
      <div role="status">
        {error !== '' && <p className="py-1 text-bad">{said(error)}</p>}
        {call?.result && (
          <pre className="selectable max-h-64 overflow-auto rounded-md border border-line bg-inset p-2.5 font-mono text-xs whitespace-pre-wrap">
            <VisibleText text={JSON.stringify(call.result, null, 2)} />
          </pre>
        )}
      </div>
    </Modal>
  );
}

function Value({
  id,
  field: { kind, required, choices },
  value,
  onChange,
}: {
  readonly id: string;
  readonly field: ToolField;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const options = kind === 'yesNo' ? ['true', 'false'] : choices;
  if (kind === 'yesNo' || kind === 'choice')
    return (
      <SelectInput id={id} required={required} value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">–</option>
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </SelectInput>
    );
  if (kind === 'long' || kind === 'json')
    return (
      <textarea
        id={id}
        rows={kind === 'long' ? 4 : 2}
        required={required && kind === 'json'}
        placeholder={kind === 'json' ? 'JSON' : undefined}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={`${inputLook} !h-auto py-1.5 font-mono text-xs`}
      />
    );
  return (
    <TextInput
      id={id}
      type={kind === 'number' ? 'number' : 'text'}
      step="any"
      required={required}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
