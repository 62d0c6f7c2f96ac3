import { join } from 'node:path';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { writeFileAtomic } from '../../base/atomicFile.ts';
import { askJson } from '../wire/askJson.ts';
import { catalogueText } from './catalogue.ts';
import { fromModelsDev } from './fromModelsDev.ts';

const source = 'https://models.dev/api.json';
const limits = { timeoutMs: 30_000, maxBytes: 64 * 1024 * 1024 };

/**
 * Fetches the catalogue anew, because the person asked for it, into the state folder, where it comes before the one that
 * is shipped. Errors: UNAVAILABLE, and the old one stays.
 */
export async function refreshCatalogue(
  state: string,
  address: string | undefined,
  now: Date,
): Promise<Result<{ readonly path: string; readonly providers: number; readonly models: number }>> {
  const from = address ?? source;
  const providers = fromModelsDev(await askJson(from, limits));
  if (providers.length === 0) return fail('UNAVAILABLE', `${from} gives no list of models; the one at hand stays.`);
  const path = join(state, 'models.jsonl');
  writeFileAtomic(path, catalogueText(providers, { from: 'models.dev', date: now.toISOString().slice(0, 10) }));
  const models = providers.reduce((sum, one) => sum + Object.keys(one.models).length, 0);
  return ok({ path, providers: providers.length, models });
}
