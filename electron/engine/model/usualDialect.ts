import type { ModelFacts } from './catalogue/modelFacts.ts';
import type { DialectName } from './dialectName.ts';
import { presetFor } from './presets.ts';
import { namedDialect } from './wire/address.ts';

/** What a model is asked in before it refused anything: what the address names, else the catalogue, else the preset. */
export function usualDialect(
  provider: { readonly name: string; readonly baseUrl: string },
  facts: ModelFacts,
): DialectName {
  return (
    namedDialect(provider.baseUrl) ?? facts.dialect ?? presetFor(provider.name, provider.baseUrl)?.dialect ?? 'chat'
  );
}
