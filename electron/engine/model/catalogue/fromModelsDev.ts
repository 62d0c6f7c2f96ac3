import type { DialectName } from '../../../../shared/model/dialect.ts';
import { isObject, type JsonObject, numberOf, textOf } from '../base/json.ts';
import type { ModelFacts } from './modelFacts.ts';
import type { Price } from './prices.ts';

/** One provider of the catalogue: one line of its file. */
export interface CatalogueProvider {
  readonly id: string;
  readonly name: string;
  /** The host of its API, where the source names one. */
  readonly host: string;
  readonly models: Readonly<Record<string, ModelFacts>>;
}

/** Levels for models that take a budget of tokens to think with; what each is worth stands with the dialect. */
const budgetLevels = ['none', 'low', 'medium', 'high'];

/**
 * Reads `api.json` of models.dev: of each provider the models that can call tools. What the source leaves out stays out.
 * An empty list when the text is something else.
 */
export function fromModelsDev(source: unknown): readonly CatalogueProvider[] {
  return Object.entries(isObject(source) ? source : {}).flatMap(([id, provider]) => {
    if (!isObject(provider) || !isObject(provider.models)) return [];
    const models = Object.entries(provider.models).flatMap(([model, given]) =>
      isObject(given) && given.tool_call === true ? [[model, factsOf(given, dialectOf(provider, given))] as const] : [],
    );
    if (models.length === 0) return [];
    const api = textOf(provider.api) ?? '';
    const host = URL.canParse(api) ? new URL(api).host : '';
    return [{ id, name: textOf(provider.name) ?? id, host, models: Object.fromEntries(models) }];
  });
}

function factsOf(model: JsonObject, dialect: DialectName | undefined): ModelFacts {
  const limit = isObject(model.limit) ? model.limit : {};
  const modalities = isObject(model.modalities) ? model.modalities : {};
  const options = (
    Array.isArray(model.reasoning_options) ? (model.reasoning_options as readonly unknown[]) : []
  ).filter(isObject);
  const levels = options.find(({ type }) => type === 'effort')?.values;
  const efforts = Array.isArray(levels) ? (levels as readonly unknown[]).filter((one) => typeof one === 'string') : [];
  // Models with both take the budget, unless the highest level, which came with thinking by effort, is among theirs.
  const isBudget = options.some(({ type }) => type === 'budget_tokens') && !efforts.includes('max');
  return {
    window: numberOf(limit.context) || undefined,
    output: numberOf(limit.output) || undefined,
    price: priceOf(model.cost),
    tools: true,
    pictures: Array.isArray(modalities.input) ? modalities.input.includes('image') : undefined,
    reasoning: typeof model.reasoning === 'boolean' ? model.reasoning : undefined,
    efforts: efforts.length > 0 ? efforts : isBudget && dialect === 'messages' ? budgetLevels : undefined,
    thinking: model.reasoning === true ? (isBudget ? 'budget' : 'adaptive') : undefined,
    temperature: typeof model.temperature === 'boolean' ? model.temperature : undefined,
    dialect,
  };
}

/** The source names the package that speaks to a provider, or to one of its models. */
function dialectOf(provider: JsonObject, model: JsonObject): DialectName | undefined {
  const own = isObject(model.provider) ? textOf(model.provider.npm) : undefined;
  switch (own ?? provider.npm) {
    case '@ai-sdk/openai':
    case '@ai-sdk/azure':
      return 'responses';
    case '@ai-sdk/anthropic':
      return 'messages';
    default:
      return own === undefined ? undefined : 'chat';
  }
}

function priceOf(cost: unknown): Price | undefined {
  if (!isObject(cost)) return undefined;
  const input = numberOf(cost.input);
  const output = numberOf(cost.output);
  if (input === undefined || output === undefined) return undefined;
  const tiers = (Array.isArray(cost.tiers) ? (cost.tiers as readonly unknown[]) : []).flatMap((tier) => {
    const at = isObject(tier) && isObject(tier.tier) ? numberOf(tier.tier.size) : undefined;
    const price = priceOf(isObject(tier) ? { ...tier, tiers: undefined } : undefined);
    return at === undefined || price === undefined ? [] : [{ tokens: at, ...price }];
  });
  return {
    input,
    output,
    cached: numberOf(cost.cache_read),
    cacheWrite: numberOf(cost.cache_write),
    above: tiers.length > 0 ? tiers.sort((a, b) => a.tokens - b.tokens) : undefined,
  };
}
