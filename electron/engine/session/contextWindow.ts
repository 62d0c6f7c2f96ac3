/**
 * Tokens that fit into a model's window, where the configuration does not say (`context_tokens`). From the providers'
 * model pages; the first pattern that fits counts. A model that nobody knows is taken for one of 128k, the commonest size.
 */
const windows: readonly (readonly [RegExp, number])[] = [
  [/gpt-5|codex/, 400_000],
  [/gpt-4\.1/, 1_000_000],
  [/gpt-4o|gpt-4-turbo|o1-mini/, 128_000],
  [/(^|\/)o[134]/, 200_000],
  [/gpt-4-32k/, 32_000],
  [/gpt-4/, 8_000],
  [/gpt-3\.5/, 16_000],
  [/claude/, 200_000],
  [/gemini/, 1_000_000],
  [/deepseek/, 128_000],
  [/qwen2\.5|qwen2/, 32_000],
  [/qwen/, 128_000],
  [/llama-?3\.[123]|llama-?4/, 128_000],
  [/llama-?3/, 8_000],
  [/llama-?2/, 4_000],
  [/codestral|mistral-large|mistral-small|ministral|devstral/, 128_000],
  [/mixtral|mistral/, 32_000],
  [/gemma-?3/, 128_000],
  [/gemma/, 8_000],
  [/phi-?[34]/, 16_000],
];

const usualWindow = 128_000;

export function contextWindowOf(model: string): number {
  const name = model.toLowerCase();
  return windows.find(([pattern]) => pattern.test(name))?.[1] ?? usualWindow;
}
