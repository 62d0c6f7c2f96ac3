import type { Settings } from '../../../shared/model/settings.ts';
import { Field, inputLook, NumberInput, TextInput } from '../../parts/Field.tsx';
import { useWords } from '../../words/words.tsx';
import { useSettings } from './useSettings.ts';

export function ShellSettings() {
  const words = useWords();
  const [{ shell }, change] = useSettings();
  const set = (part: Partial<Settings['shell']>): void =>
    change((now) => ({ ...now, shell: { ...now.shell, ...part } }));
  const paths = typeof shell.extraPaths === 'string' ? shell.extraPaths : shell.extraPaths.join('\n');
  return (
    <>
      <Field label={words.settings.program} note={words.settings.programNote}>
        {(id) => (
          <TextInput
            id={id}
            className="font-mono"
            defaultValue={shell.program}
            onBlur={(event) => event.target.value !== shell.program && set({ program: event.target.value.trim() })}
          />
        )}
      </Field>
      <Field label={words.settings.threshold} note={words.settings.thresholdNote}>
        {(id) => (
          <NumberInput
            id={id}
            least={0}
            unit={words.settings.seconds}
            value={shell.autoBackgroundThresholdSeconds}
            onSave={(autoBackgroundThresholdSeconds) => set({ autoBackgroundThresholdSeconds })}
          />
        )}
      </Field>
      <Field label={words.settings.workers}>
        {(id) => (
          <NumberInput
            id={id}
            least={1}
            value={shell.backgroundMaxWorkers}
            onSave={(backgroundMaxWorkers) => set({ backgroundMaxWorkers })}
          />
        )}
      </Field>
      <Field label={words.settings.maxOutput}>
        {(id) => (
          <NumberInput
            id={id}
            least={0}
            unit={words.settings.characters}
            value={shell.maxOutputChars}
            onSave={(maxOutputChars) => set({ maxOutputChars })}
          />
        )}
      </Field>
      <Field label={words.settings.extraPaths} note={words.settings.extraPathsNote}>
        {(id) => (
          <textarea
            id={id}
            rows={3}
            defaultValue={paths}
            className={`${inputLook} !h-auto py-1 font-mono text-xs`}
            onBlur={(event) =>
              event.target.value !== paths &&
              set({ extraPaths: event.target.value.split('\n').flatMap((line) => line.trim() || []) })
            }
          />
        )}
      </Field>
      <Field label="">
        {(id) => (
          <label className="flex items-center gap-2">
            <input
              id={id}
              type="checkbox"
              checked={shell.keepRunning}
              onChange={(event) => set({ keepRunning: event.target.checked })}
            />
            {words.settings.keepRunning}
          </label>
        )}
      </Field>
    </>
  );
}
