import { modes } from '../../../shared/model/phase.ts';
import { settingsSchema } from '../../../shared/model/settings.ts';
import { useBench } from '../../app/useSession.ts';
import { Field, NumberInput, SelectInput } from '../../parts/Field.tsx';
import { useWords } from '../../words/words.tsx';
import { ProjectSettings } from './ProjectSettings.tsx';
import { useSettings } from './useSettings.ts';

const { theme: themeSchema, language: languageSchema, mode: modeSchema } = settingsSchema.unwrap().shape;
const themes = ['system', 'dark', 'light', 'contrast'] as const;
const languages = ['system', 'en', 'zh-CN'] as const;

export function GeneralSettings() {
  const words = useWords();
  const [settings, change] = useSettings();
  const sandbox = useBench((bench) => bench.sandbox);
  return (
    <>
      <Field label={words.settings.theme}>
        {(id) => (
          <SelectInput
            id={id}
            value={settings.theme}
            onChange={(event) => change((now) => ({ ...now, theme: themeSchema.parse(event.target.value) }))}
          >
            {themes.map((name) => (
              <option key={name} value={name}>
                {words.settings.themes[name]}
              </option>
            ))}
          </SelectInput>
        )}
      </Field>
      <Field label={words.settings.language}>
        {(id) => (
          <SelectInput
            id={id}
            value={settings.language}
            onChange={(event) => change((now) => ({ ...now, language: languageSchema.parse(event.target.value) }))}
          >
            {languages.map((name) => (
              <option key={name} value={name}>
                {words.settings.languages[name]}
              </option>
            ))}
          </SelectInput>
        )}
      </Field>
      <Field label={words.settings.mode}>
        {(id) => (
          <SelectInput
            id={id}
            value={settings.mode}
            onChange={(event) => change((now) => ({ ...now, mode: modeSchema.parse(event.target.value) }))}
          >
            {modes.map((name) => (
              <option key={name} value={name}>
                {words.mode[name]}
              </option>
            ))}
          </SelectInput>
        )}
      </Field>
      <Field label={words.settings.maxIterations}>
        {(id) => (
          <NumberInput
            id={id}
            value={settings.agent.maxIterations}
            least={1}
            onSave={(maxIterations) => change((now) => ({ ...now, agent: { ...now.agent, maxIterations } }))}
          />
        )}
      </Field>
      <Field label={words.settings.parallelCalls}>
        {(id) => (
          <NumberInput
            id={id}
            value={settings.agent.parallelCalls}
            least={1}
            onSave={(parallelCalls) => change((now) => ({ ...now, agent: { ...now.agent, parallelCalls } }))}
          />
        )}
      </Field>
      <Field
        label={words.status.sandbox}
        note={sandbox.available ? words.settings.sandboxNote : words.settings.sandboxUnavailable(sandbox.why)}
      >
        {(id) => (
          <label className="flex items-center gap-2 pt-1">
            <input
              id={id}
              type="checkbox"
              disabled={!sandbox.available}
              checked={settings.sandbox.commands}
              onChange={(event) =>
                change((now) => ({ ...now, sandbox: { ...now.sandbox, commands: event.target.checked } }))
              }
            />
            {words.settings.sandboxCommands}
          </label>
        )}
      </Field>
      <ProjectSettings />
    </>
  );
}
