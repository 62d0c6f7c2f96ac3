import { type CountTokens, createCountTokens } from './bytePairs.ts';
import type { Encoding } from './encodingOf.ts';

/** The table of an encoding has 100,000 or 200,000 entries and takes some 60 MB: only the thread that counts loads it. */
export async function loadTokenizer(encoding: Encoding): Promise<CountTokens> {
  switch (encoding) {
    case 'o200k_base': {
      const [{ default: ranks }, { O200KBase }] = await Promise.all([
        import('gpt-tokenizer/bpeRanks/o200k_base'),
        import('gpt-tokenizer/encodingParams/o200k_base'),
      ]);
      return createCountTokens(ranks, O200KBase([]).tokenSplitRegex);
    }
    case 'cl100k_base': {
      const [{ default: ranks }, { Cl100KBase }] = await Promise.all([
        import('gpt-tokenizer/bpeRanks/cl100k_base'),
        import('gpt-tokenizer/encodingParams/cl100k_base'),
      ]);
      return createCountTokens(ranks, Cl100KBase([]).tokenSplitRegex);
    }
  }
}
