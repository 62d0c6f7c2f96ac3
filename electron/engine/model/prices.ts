import type { Usage } from '../../../shared/model/usage.ts';

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  /** For input that came from the provider's prompt cache; like `input` when absent. */
  readonly cached?: number;
  readonly output: number;
}

/**
 * List prices by the beginning of a model's name, the longest match wins. From the price pages of OpenAI
 * (platform.openai.com/docs/pricing) and DeepSeek (api-docs.deepseek.com/quick_start/pricing) as of October 2025. Prices
 * move: this table is a start, entries of `prices` in the configuration come before it, and a model that is in neither
 * shows no cost rather than a wrong one.
 */
const listPrices: Readonly<Record<string, Price>> = {
  'gpt-4o': { input: 2.5, cached: 1.25, output: 10 },
  'gpt-4o-mini': { input: 0.15, cached: 0.075, output: 0.6 },
  'gpt-4.1': { input: 2, cached: 0.5, output: 8 },
  'gpt-4.1-mini': { input: 0.4, cached: 0.1, output: 1.6 },
  'gpt-4.1-nano': { input: 0.1, cached: 0.025, output: 0.4 },
  'o4-mini': { input: 1.1, cached: 0.275, output: 4.4 },
  'gpt-5': { input: 1.25, cached: 0.125, output: 10 },
  'gpt-5-mini': { input: 0.25, cached: 0.025, output: 2 },
  'gpt-5-nano': { input: 0.05, cached: 0.005, output: 0.4 },
  'deepseek-chat': { input: 0.28, cached: 0.028, output: 0.42 },
  'deepseek-reasoner': { input: 0.28, cached: 0.028, output: 0.42 },
};

export function priceOf(model: string, own: Readonly<Record<string, Price>> = {}): Price | undefined {
  return longestMatch(model, own) ?? longestMatch(model, listPrices);
}

/** `vendor/model` names (OpenRouter) match by their last part too; a name goes on only with a dash or a colon. */
function longestMatch(model: string, prices: Readonly<Record<string, Price>>): Price | undefined {
  const names = [model, model.slice(model.lastIndexOf('/') + 1)];
  const found = Object.keys(prices)
    .filter((key) => names.some((name) => name === key || name.startsWith(`${key}-2`) || name.startsWith(`${key}:`)))
    .sort((a, b) => b.length - a.length)[0];
  return found === undefined ? undefined : prices[found];
}

/** In US dollars. Cached input is part of the input; reasoning is part of the output. */
export function costOf(usage: Usage, price: Price): number {
  const fresh = Math.max(0, usage.input - usage.cached);
  return (fresh * price.input + usage.cached * (price.cached ?? price.input) + usage.output * price.output) / 1_000_000;
}
