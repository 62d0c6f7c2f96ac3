import type { Capabilities } from './capabilities.ts';
import type { RequestStyle } from './dialect.ts';
import type { ModelRequest } from './port.ts';

/**
 * The sentences with which servers refuse native tools, as their makers wrote them: Ollama, vLLM, llama.cpp, OpenRouter,
 * Groq, OpenAI's older models. Anything else about tools (a bad schema, say) is an error and stays one: tools must not
 * be dropped on a guess.
 */
const toolRefusals: readonly RegExp[] = [
  /does not support (the )?(tools?|functions?|tool[ _-]?(use|calling|choice)|function[ _-]?calling)\b/i,
  /\b(tools?|functions?|(tool|function)[ _-]?(use|calls?|calling|choice))[`'"]? (is|are) not (supported|enabled|available)/i,
  /requires --enable-auto-tool-choice/i,
  /tools param requires --jinja/i,
  /no endpoints found that support tool use/i,
  /unrecognized request argument supplied: (tools|functions|tool_choice)/i,
];

/** What the text of a refused request (HTTP 4xx) teaches about the model, in every dialect; undefined when nothing. */
export function commonLesson(text: string, request: ModelRequest, style: RequestStyle): Capabilities | undefined {
  if (request.tools.length > 0 && toolRefusals.some((pattern) => pattern.test(text))) return { tools: 'text' };
  const isUnknown =
    /unsupported|not (?:support|permit|allow)|only the default|deprecated|unrecognized|unknown|extra/i.test(text);
  if (style.temperature && request.temperature !== undefined && /temperature/i.test(text) && isUnknown)
    return { temperature: false };
  // A level that the model does not have is the person's to change: the server names those that it has.
  const namesLevels = /supported values|must be one of|one of:|expected one of/i.test(text);
  if (style.effort && request.effort !== undefined && /reasoning|effort/i.test(text) && isUnknown && !namesLevels)
    return { effort: false };
  return undefined;
}
