import type { DialectName } from '../../../shared/model/dialect.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { CapabilityMemory } from './base/capabilities.ts';
import { presetFor } from './base/presets.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import type { ModelFacts } from './catalogue/modelFacts.ts';
import type { ProviderSettings } from './providerSettings.ts';
import { namedDialect } from './wire/address.ts';

/** What is known of a session's model, from all that know: settings, answers of the server, catalogue, preset. */
export interface KnownModel extends ModelFacts {
  readonly dialect: DialectName;
  readonly dialectFrom: 'setting' | 'learnt' | 'address' | 'catalogue' | 'preset' | 'default';
}

export function knownModel(settings: ProviderSettings, catalogue: Catalogue, memory: CapabilityMemory): KnownModel {
  const { name, baseUrl, model } = settings;
  const facts = catalogue.facts(settings, model);
  const learnt = memory.get(name, model);
  const sources: readonly (readonly [KnownModel['dialectFrom'], DialectName | undefined])[] = [
    ['setting', settings.dialect === 'auto' ? undefined : settings.dialect],
    ['learnt', learnt.dialect],
    ['address', namedDialect(baseUrl)],
    ['catalogue', facts.dialect],
    ['preset', presetFor(name, baseUrl)?.dialect],
  ];
  const [dialectFrom, dialect] = sources.find(([, said]) => said !== undefined) ?? (['default', 'chat'] as const);
  return {
    ...facts,
    window: settings.contextTokens ?? learnt.window ?? facts.window,
    efforts: learnt.effort === false ? [] : facts.efforts,
    dialect: dialect ?? 'chat',
    dialectFrom,
  };
}

/** CONFIG_INVALID for a level that the model does not have; of a model that nobody knows any may be tried. */
export function checkEffort(effort: string, model: string, { efforts, reasoning }: ModelFacts): Result<void> {
  if (effort === '' || efforts?.includes(effort) === true || (efforts === undefined && reasoning !== false))
    return ok(undefined);
  const has = efforts && efforts.length > 0 ? `it has ${efforts.join(', ')}` : 'it has none to choose';
  return fail('CONFIG_INVALID', `${model} has no effort "${effort}": ${has}.`);
}

/** The window that the words of a refusal name: "maximum context length is 128000 tokens", "… > 200000 maximum". */
export function windowIn(words: string): number | undefined {
  const found =
    /(?:context (?:length|size|window)(?: of| is|:)?|maximum (?:context length|number of tokens allowed)|n_ctx\D{0,20})\D{0,30}?(\d[\d,]{3,})/i.exec(
      words,
    ) ?? /> ?(\d[\d,]{3,}) (?:tokens|maximum)/i.exec(words);
  const tokens = Number(found?.[1]?.replaceAll(',', ''));
  return Number.isSafeInteger(tokens) && tokens >= 1_000 ? tokens : undefined;
}
