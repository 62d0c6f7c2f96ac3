import type { Capabilities } from '../base/capabilities.ts';
import { commonLesson } from '../base/commonLesson.ts';
import type { RequestStyle } from '../base/dialect.ts';
import type { ModelRequest } from '../base/port.ts';

/**
 * Other words for a model of Responses alone: OpenAI's "This is not a chat model and thus not supported in the
 * v1/chat/completions endpoint", Azure's "The chatCompletion operation does not work with the specified model", and those
 * of gateways, "model … is not accessible via the /chat/completions endpoint" (`unsupported_api_for_model`).
 */
const responsesOnly =
  /not a chat model|chat ?completions? operation does not work|not (?:accessible|supported|available)[^.]{0,30}\/chat\/completions|unsupported_api_for_model/i;

/** What the text of a refusal teaches over chat completions; undefined when nothing. */
export function lessonOf(text: string, request: ModelRequest, style: RequestStyle): Capabilities | undefined {
  // OpenAI: "Function tools with reasoning_effort are not supported for … Please use /v1/responses instead.", "This model
  // is only supported in v1/responses".
  if (/\bv1\/responses\b/i.test(text) || responsesOnly.test(text)) return { dialect: 'responses' };
  if (/\bv1\/messages\b/i.test(text)) return { dialect: 'messages' };
  if (/reasoning_content/i.test(text)) {
    // DeepSeek: "must be passed back", "Missing `reasoning_content` field"; Moonshot: "reasoning_content is missing".
    if (!style.echoReasoning && /must be passed back|missing/i.test(text)) return { echoReasoning: true };
    if (style.echoReasoning && /unsupported|not (supported|permitted|allowed)|unknown|extra/i.test(text))
      return { echoReasoning: false };
  }
  if (style.echoDetails && /reasoning_details/i.test(text)) return { reasoningDetails: false };
  if (style.streamUsage && /stream_options/i.test(text)) return { streamUsage: false };
  if (request.maxTokens !== undefined && !style.maxCompletionTokens && /max_completion_tokens/i.test(text)) {
    return { maxCompletionTokens: true };
  }
  return commonLesson(text, request, style);
}
