import type { Phase } from '../../../shared/model/phase.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import { useAnswer } from '../../client/useAnswer.ts';
import { withEntry } from '../../commands/actions.ts';
import { Field, inputLook, NumberInput, SelectInput } from '../../parts/Field.tsx';
import { factsText } from '../../parts/model/modelText.ts';
import { useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { useSettings } from './useSettings.ts';

const workPhases = ['EXPLORING', 'PLANNING', 'PATCHING', 'VERIFYING'] as const satisfies readonly Phase[];

/** What models may cost, and which of them works in which phase. */
export function ModelSettings() {
  const { spend } = useWords();
  const [settings, change] = useSettings();
  const cap = (part: Partial<Settings['spend']>): void =>
    change((now) => ({ ...now, spend: { ...now.spend, ...part } }));
  return (
    <>
      <h3 className="font-medium">{spend.caps}</h3>
      <p className="pb-1 text-xs text-soft">{spend.capsNote}</p>
      <Field label={spend.sessionCap}>
        {(id) => <DollarInput id={id} value={settings.spend.session} onSave={(session) => cap({ session })} />}
      </Field>
      <Field label={spend.dayCap}>
        {(id) => <DollarInput id={id} value={settings.spend.day} onSave={(day) => cap({ day })} />}
      </Field>
      <Field label={spend.requestCap}>
        {(id) => (
          <NumberInput
            id={id}
            value={settings.agent.maxRequests}
            least={1}
            onSave={(maxRequests) => change((now) => ({ ...now, agent: { ...now.agent, maxRequests } }))}
          />
        )}
      </Field>
      <h3 className="pt-3 font-medium">{spend.phases}</h3>
      <p className="pb-1 text-xs text-soft">{spend.phasesNote}</p>
      {workPhases.map((phase) => (
        <PhaseLine key={phase} phase={phase} />
      ))}
    </>
  );
}

/** Empty: no cap. Saved when the person leaves the field, and only what is an amount. */
function DollarInput({
  id,
  value,
  onSave,
}: {
  readonly id: string;
  readonly value: number | null;
  readonly onSave: (value: number | null) => void;
}) {
  return (
    <input
      key={value}
      id={id}
      type="number"
      min={0}
      step="any"
      placeholder="–"
      defaultValue={value ?? ''}
      className={`${inputLook} !w-24`}
      onBlur={(event) => {
        const typed = event.target.value.trim() === '' ? null : event.target.valueAsNumber;
        if (typed === value) return;
        if (typed === null || typed > 0) onSave(typed);
        else event.target.value = String(value ?? '');
      }}
    />
  );
}

/** The model of a phase is one of the provider in use: no other one is asked because of a phase. */
function PhaseLine({ phase }: { readonly phase: (typeof workPhases)[number] }) {
  const words = useWords();
  const [{ agent }, change] = useSettings();
  const active = useWorkbench((workbench) => workbench.activeProvider);
  const model = agent.phaseModel[phase];
  const provider = model?.provider ?? active;
  const models = useAnswer('provider.models', provider === '' ? null : { name: provider })?.models ?? [];
  const usual = useWorkbench(({ providers }) => providers.find(({ name }) => name === provider)?.model);
  const known = models.find(({ name }) => name === (model?.model ?? usual));
  const effort = agent.phaseEffort[phase];
  const efforts = [...new Set([...(known?.efforts ?? []), ...(effort === undefined ? [] : [effort])])];
  const set = (part: (agent: Settings['agent']) => Partial<Settings['agent']>): void =>
    change((now) => ({ ...now, agent: { ...now.agent, ...part(now.agent) } }));
  return (
    <Field label={words.phase[phase]} note={model && words.spend.onlyFor(model.provider)}>
      {(id) => (
        <span className="flex gap-2">
          <SelectInput
            id={id}
            aria-label={words.spend.modelOf(words.phase[phase])}
            value={model?.model ?? ''}
            onChange={({ target: { value } }) => {
              const own = value === '' ? undefined : { provider, model: value };
              set(({ phaseModel }) => ({ phaseModel: withEntry(phaseModel, phase, own) }));
            }}
          >
            <option value="">{words.spend.ownModel}</option>
            {model && !models.some(({ name }) => name === model.model) && (
              <option value={model.model}>{model.model}</option>
            )}
            {models.map((one) => (
              <option key={one.name} value={one.name}>{`${one.name} (${factsText(one, words)})`}</option>
            ))}
          </SelectInput>
          <SelectInput
            aria-label={words.spend.effortOf(words.phase[phase])}
            className="!w-32 shrink-0"
            disabled={efforts.length === 0}
            value={effort ?? ''}
            onChange={({ target: { value } }) =>
              set(({ phaseEffort }) => ({ phaseEffort: withEntry(phaseEffort, phase, value || undefined) }))
            }
          >
            <option value="">{words.model.likeSession}</option>
            {efforts.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </SelectInput>
        </span>
      )}
    </Field>
  );
}
