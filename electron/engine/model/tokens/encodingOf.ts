/** Tokenizers that are known exactly: those of OpenAI's models. */
export type Encoding = 'o200k_base' | 'cl100k_base';

/** From OpenAI's own table (tiktoken, `model.py`), the first pattern that fits counts. */
const encodings: readonly (readonly [RegExp, Encoding])[] = [
  [/^(chatgpt-4o|gpt-4o|gpt-4\.\d|gpt-5|gpt-oss|codex)|^o\d/, 'o200k_base'],
  [/^gpt-(4|3\.5)(-|$)/, 'cl100k_base'],
];

/** The encoding of a model by its name, also as `openai/NAME`; undefined where nobody but its maker knows how it counts. */
export function encodingOf(model: string): Encoding | undefined {
  const name = model.toLowerCase().replace(/^openai\//, '');
  return encodings.find(([pattern]) => pattern.test(name))?.[1];
}
