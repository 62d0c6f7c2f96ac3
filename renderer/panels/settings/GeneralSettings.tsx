import { useState } from 'react';
import { modes } from '../../../shared/model/phase.ts';
import { settingsSchema } from '../../../shared/model/settings.ts';
import { Field, NumberInput, SelectInput } from '../../parts/Field.tsx';
import { askToNotify, canNotify } from '../../parts/notifications.ts';
import { usePreferences } from '../../view/preferences.ts';
import { useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { ProjectSettings } from './ProjectSettings.tsx';
import { useSettings } from './useSettings.ts';

const { theme: themeSchema, language: languageSchema, mode: modeSchema } = settingsSchema.unwrap().shape;
const themes = ['system', 'dark', 'light', 'contrast'] as const;
const languages = ['system', 'en', 'zh-CN'] as const;

export function GeneralSettings() {
  const words = useWords();
  const [settings, change] = useSettings();
  const sandbox = useWorkbench((workbench) => workbench.sandbox);
  return (
    <>
      <Field label={words.settings.theme}>
        {(id) => (
          <SelectInput
            id={id}
            value={settings.theme}
            onChange={({ target: { value } }) => change((now) => ({ ...now, theme: themeSchema.parse(value) }))}
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
            onChange={({ target: { value } }) => change((now) => ({ ...now, language: languageSchema.parse(value) }))}
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
            onChange={({ target: { value } }) => change((now) => ({ ...now, mode: modeSchema.parse(value) }))}
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
        note={
          sandbox.available
            ? `${words.settings.sandboxNote} ${words.settings.sandboxBreaks}`
            : words.settings.sandboxUnavailable(sandbox.why)
        }
      >
        {(id) => (
          <label className="flex items-center gap-2 pt-1">
            <input
              id={id}
              type="checkbox"
              disabled={!sandbox.available}
              checked={settings.sandbox.commands}
              onChange={({ target: { checked } }) =>
                change((now) => ({ ...now, sandbox: { ...now.sandbox, commands: checked } }))
              }
            />
            {words.settings.sandboxCommands}
          </label>
        )}
      </Field>
      <NotifySetting />
      <ProjectSettings />
    </>
  );
}

/** Of this window, not of the person: another browser asks for its own permission. */
function NotifySetting() {
  const words = useWords();
  const notify = usePreferences(({ notify }) => notify);
  const [isRefused, setIsRefused] = useState(false);
  const change = async (wanted: boolean): Promise<void> => {
    const granted = wanted && (await askToNotify());
    setIsRefused(wanted && !granted);
    usePreferences.setState({ notify: granted });
  };
  return (
    <Field label={words.notify.label} note={isRefused ? words.notify.refused : words.notify.note}>
      {(id) => (
        <label className="flex items-center gap-2 pt-1">
          <input
            id={id}
            type="checkbox"
            disabled={!canNotify()}
            checked={notify}
            onChange={(event) => void change(event.target.checked)}
          />
          {words.notify.choose}
        </label>
      )}
    </Field>
  );
}
