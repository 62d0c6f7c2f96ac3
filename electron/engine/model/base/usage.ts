import type { Usage } from '../../../../shared/model/usage.ts';
import { isObject, numberOf } from './json.ts';

/**
 * Token counts of one request, from the `usage` object in its many spellings: OpenAI (`prompt_tokens_details.cached_tokens`),
 * DeepSeek (`prompt_cache_hit_tokens`), Moonshot (`cached_tokens`). Undefined when there are no counts.
 */
export function readUsage(raw: unknown): Usage | undefined {
  if (!isObject(raw)) return undefined;
  const input = numberOf(raw.prompt_tokens) ?? numberOf(raw.input_tokens);
  const completion = numberOf(raw.completion_tokens) ?? numberOf(raw.output_tokens);
  if (input === undefined && completion === undefined) return undefined;
  const inputDetails = raw.prompt_tokens_details ?? raw.input_tokens_details;
  const outputDetails = raw.completion_tokens_details ?? raw.output_tokens_details;
  const cached =
    (isObject(inputDetails) ? numberOf(inputDetails.cached_tokens) : undefined) ??
    numberOf(raw.prompt_cache_hit_tokens) ??
    numberOf(raw.cached_tokens) ??
    0;
  const reasoning = (isObject(outputDetails) ? numberOf(outputDetails.reasoning_tokens) : undefined) ?? 0;
  // xAI counts reasoning beside the completion, everybody else inside; only the total tells.
  const beside = reasoning > 0 && numberOf(raw.total_tokens) === (input ?? 0) + (completion ?? 0) + reasoning;
  return {
    requests: 1,
    input: input ?? 0,
    output: (completion ?? 0) + (beside ? reasoning : 0),
    cached,
    reasoning,
  };
}
