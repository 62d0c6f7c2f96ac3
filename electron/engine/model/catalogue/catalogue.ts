import { readFileSync } from 'node:fs';
import { dialectNames } from '../../../../shared/model/dialect.ts';
import { isObject, numberOf, parseJson } from '../base/json.ts';
import { presetFor } from '../base/presets.ts';
import type { CatalogueProvider } from './fromModelsDev.ts';
import { type ModelFacts, nothingKnown } from './modelFacts.ts';
import type { Price } from './prices.ts';

/** Whom a model is asked of, and what the configuration says of models. */
export interface CatalogueQuestion {
  readonly name: string;
  readonly baseUrl: string;
  /** `models` and `prices` of the configuration, which come before the catalogue. */
  readonly models: Readonly<Record<string, ModelFacts>>;
}

export interface Catalogue {
  /** What is known of a model at this provider; the same name at another provider tells nothing. */
  facts(provider: CatalogueQuestion, model: string): ModelFacts;
  /** The names of a provider's models, as the snapshot has them. */
  modelsOf(provider: CatalogueQuestion): readonly string[];
  /** Where the data is from and of which day; empty where there is none. */
  readonly source: { readonly from: string; readonly date: string };
}

/**
 * Files of one line a provider, led by a line that says where they are from; the first that can be read counts. Nothing
 * is read before a model is asked about, and of the file only the line of its provider is parsed.
 */
export function createCatalogue(files: readonly string[]): Catalogue {
  let read: { readonly lines: readonly string[]; readonly source: Catalogue['source'] } | undefined;
  const parsed = new Map<string, CatalogueProvider | undefined>();

  const file = () => {
    read ??= files.map(readLines).find((found) => found !== undefined) ?? { lines: [], source: { from: '', date: '' } };
    return read;
  };
  const providerOf = ({ name, baseUrl }: CatalogueQuestion): CatalogueProvider | undefined => {
    const preset = presetFor(name, baseUrl);
    if (preset?.local) return undefined;
    const host = URL.canParse(baseUrl) ? new URL(baseUrl).host : '';
    const key =
      preset?.catalogue === undefined ? `"host":${JSON.stringify(host)}` : `"id":${JSON.stringify(preset.catalogue)}`;
    if (!parsed.has(key)) {
      const line =
        host === '' && preset === undefined ? undefined : file().lines.find((one) => one.slice(0, 300).includes(key));
      const value = parseJson(line ?? '');
      parsed.set(key, isObject(value) && isObject(value.models) ? (value as unknown as CatalogueProvider) : undefined); // our own file, or the conversion of the person's refresh
    }
    return parsed.get(key);
  };
  return {
    facts(provider, model) {
      const own = Object.hasOwn(provider.models, model) ? provider.models[model] : undefined;
      const models = providerOf(provider)?.models ?? {};
      const known = Object.hasOwn(models, model) ? models[model] : undefined;
      return own ? { ...known, ...own } : (known ?? nothingKnown);
    },
    modelsOf: (provider) => Object.keys(providerOf(provider)?.models ?? {}),
    get source() {
      return file().source;
    },
  };
}

/** The text of a catalogue file. */
export function catalogueText(providers: readonly CatalogueProvider[], source: Catalogue['source']): string {
  return [source, ...providers].map((line) => `${JSON.stringify(line)}\n`).join('');
}

function readLines(path: string) {
  try {
    const [head = '', ...lines] = readFileSync(path, 'utf8').split('\n');
    const source = parseJson(head);
    if (!isObject(source)) return undefined;
    return { lines, source: { from: String(source['from']), date: String(source['date']) } };
  } catch {
    return undefined; // no refresh was ever asked for, or the file is gone: what is not known is told as unknown
  }
}

/** `models` (and, from before, `prices`) of config.json: facts of models by name. What does not fit is left out. */
export function readOwnModels(models: unknown, prices: unknown): Readonly<Record<string, ModelFacts>> {
  const own: Record<string, ModelFacts> = {};
  for (const [model, price] of Object.entries(isObject(prices) ? prices : {})) {
    const read = readPrice(price);
    if (read) own[model] = { price: read };
  }
  for (const [model, given] of Object.entries(isObject(models) ? models : {})) {
    if (!isObject(given)) continue;
    const facts: ModelFacts = {
      window: numberOf(given['window']) || undefined,
      output: numberOf(given['output']) || undefined,
      price: readPrice(given['price']),
      pictures: booleanOf(given['pictures']),
      reasoning: booleanOf(given['reasoning']),
      temperature: booleanOf(given['temperature']),
      efforts: Array.isArray(given['efforts'])
        ? (given['efforts'] as readonly unknown[]).filter((one) => typeof one === 'string')
        : undefined,
      thinking: given['thinking'] === 'adaptive' || given['thinking'] === 'budget' ? given['thinking'] : undefined,
      dialect: dialectNames.find((name) => name === given['dialect']),
    };
    own[model] = {
      ...own[model],
      ...Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)),
    };
  }
  return own;
}

function booleanOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function readPrice(price: unknown): Price | undefined {
  if (!isObject(price) || typeof price['input'] !== 'number' || typeof price['output'] !== 'number') return undefined;
  const { input, output, cached, cacheWrite } = price;
  return { input, output, cached: numberOf(cached), cacheWrite: numberOf(cacheWrite) };
}
