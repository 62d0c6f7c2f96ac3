import type { ProviderInfo } from '../../../shared/model/workbench.ts';
import type { Result } from '../../../shared/result.ts';
import { presets } from '../model/base/presets.ts';
import type { ProviderSettings } from '../model/providerSettings.ts';

/** A provider as a window shows it; of the key only that there is one. */
export function providerInfo(name: string, settings: Result<ProviderSettings>, storedKey: boolean): ProviderInfo {
  if (!settings.ok) {
    return {
      name,
      kind: '',
      baseUrl: '',
      model: '',
      hasKey: storedKey,
      local: false,
      usable: false,
      problem: settings.error.message,
    };
  }
  const { kind, baseUrl, model, apiKey } = settings.value;
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  const local =
    ['localhost', '127.0.0.1', '[::1]'].includes(host) ||
    presets.some((preset) => preset.name === name && preset.local);
  const hasKey = apiKey !== '';
  const needsKey = kind === 'openai_compatible' && !local && !hasKey;
  return {
    name,
    kind,
    baseUrl,
    model,
    hasKey,
    local,
    usable: !needsKey,
    problem: needsKey ? 'Missing API key' : undefined,
  };
}
