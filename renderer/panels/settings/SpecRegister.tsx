import { useEffect, useState } from 'react';
import { toast } from 'sonner';
import type { OutputOf } from '../../../shared/contract/api.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { Button } from '../../parts/Button.tsx';
import { Field, TextInput } from '../../parts/Field.tsx';
import { useWords } from '../../words/words.tsx';

type Proposal = OutputOf<'spec.propose'>;
type Check = OutputOf<'spec.validate'>;

/** How long a typist pauses before the text is looked at. */
const typingPauseMs = 250;

/** A program is asked what it can do; what comes of it is read, edited and only then saved. */
export function SpecRegister({
  project,
  program,
  onDone,
}: {
  readonly project: string;
  readonly program: string;
  readonly onDone: () => void;
}) {
  const words = useWords();
  const client = useClient();
  const [binary, setBinary] = useState(program);
  const [deep, setDeep] = useState(false);
  const [byModel, setByModel] = useState(false);
  const [asking, setAsking] = useState(false);
  const [proposal, setProposal] = useState<Proposal | null>(null);

  const ask = async (): Promise<void> => {
    if (binary.trim() === '' || asking) return;
    setAsking(true);
    const asked = { project, binary: binary.trim(), deep, byModel };
    const answer = await valueOrToast(client.call('spec.propose', asked));
    setAsking(false);
    if (answer) setProposal(answer);
  };
  if (proposal) return <Proposed project={project} proposal={proposal} onDone={onDone} />;
  return (
    <form
      aria-label={words.specs.registerTitle}
      onSubmit={(event) => {
        event.preventDefault();
        void ask();
      }}
    >
      <h3 className="mb-1 font-medium">{words.specs.registerTitle}</h3>
      <Field label={words.specs.program} note={words.specs.programNote}>
        {(id) => <TextInput id={id} value={binary} onChange={(event) => setBinary(event.target.value)} />}
      </Field>
      <label className="flex items-center gap-2 py-1">
        <input type="checkbox" checked={deep} onChange={(event) => setDeep(event.target.checked)} />
        {words.specs.deep}
      </label>
      <label className="flex items-center gap-2 py-1">
        <input type="checkbox" checked={byModel} onChange={(event) => setByModel(event.target.checked)} />
        {words.specs.byModel}
      </label>
      <p aria-live="polite" className="min-h-5 text-xs text-soft">
        {asking && (byModel ? words.specs.writing : words.specs.reading)}
      </p>
      <div className="flex gap-2">
        <Button type="submit" look="primary" disabled={asking || binary.trim() === ''}>
          {words.specs.read}
        </Button>
        <Button look="quiet" onClick={onDone}>
          {words.common.back}
        </Button>
      </div>
    </form>
  );
}

function Proposed({
  project,
  proposal,
  onDone,
}: {
  readonly project: string;
  readonly proposal: Proposal;
  readonly onDone: () => void;
}) {
  const words = useWords();
  const client = useClient();
  const [text, setText] = useState(proposal.text);
  const [checked, setChecked] = useState<{ readonly text: string; readonly check: Check } | null>(null);
  const [busy, setBusy] = useState(false);
  const [replace, setReplace] = useState(false);
  useEffect(() => {
    let current = true;
    const timer = setTimeout(() => {
      void client.call('spec.validate', { text }).then((answer) => {
        if (current && answer.ok) setChecked({ text, check: answer.value });
      });
    }, typingPauseMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [client, text]);
  const check = checked?.text === text ? checked.check : null;
  const canSave = check?.ok === true && !busy && (!proposal.exists || replace);

  const save = async (): Promise<void> => {
    if (!canSave) return;
    setBusy(true);
    const { version } = proposal;
    const saved = await valueOrToast(
      client.call('spec.register', { project, text, version, replace: proposal.exists ? replace : undefined }),
    );
    setBusy(false);
    if (!saved) return;
    toast(words.specs.saved(saved.tools.length));
    onDone();
  };
  return (
    <div className="flex flex-col gap-2">
      <h3 className="font-medium">
        {proposal.name} <span className="font-normal text-soft">{proposal.version}</span>
      </h3>
      <p className={proposal.kind === 'canonical' ? 'text-soft' : 'text-warn'}>{words.specs[proposal.kind]}</p>
      <textarea
        aria-label={words.specs.specText}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="selectable h-[min(18rem,34vh)] w-full resize-y rounded-md border border-edge/70 bg-inset p-2.5 font-mono text-xs leading-5 whitespace-pre"
      />
      <div aria-live="polite" className="min-h-5 text-xs">
        {!check && <p className="text-soft">{words.specs.checking}</p>}
        {check?.ok && (
          <p className="text-good" title={check.commands.join(', ')}>
            {words.specs.valid(check.commands.length)}
          </p>
        )}
        {check && !check.ok && <p className="text-bad">{words.specs.invalid(check.errors.length)}</p>}
        {check && (
          <ul className="mt-0.5 flex max-h-32 flex-col gap-0.5 overflow-y-auto">
            {check.errors.map(({ path, message }) => (
              <li key={`e ${path} ${message}`} className="break-words text-bad">
                {path && <code className="font-mono text-2xs">{path}</code>} {message}
              </li>
            ))}
            {check.warnings.map(({ path, message }) => (
              <li key={`w ${path} ${message}`} className="break-words text-warn">
                {path && <code className="font-mono text-2xs">{path}</code>} {message}
              </li>
            ))}
          </ul>
        )}
      </div>
      <p className="selectable text-2xs break-all text-soft">{words.specs.writes(proposal.path)}</p>
      {proposal.exists && (
        <label className="flex items-center gap-2 text-xs text-warn">
          <input type="checkbox" checked={replace} onChange={(event) => setReplace(event.target.checked)} />
          {words.specs.replace}
        </label>
      )}
      <div className="flex gap-2">
        <Button look="primary" disabled={!canSave} onClick={() => void save()}>
          {words.specs.save}
        </Button>
        <Button look="quiet" onClick={onDone}>
          {words.common.cancel}
        </Button>
      </div>
    </div>
  );
}
