import type { Capabilities } from '../base/capabilities.ts';
import type { Dialect } from '../base/dialect.ts';
import { commonLesson } from '../base/refusal.ts';
import { ResponsesReply } from './responsesReply.ts';
import { ResponsesRequest } from './responsesRequest.ts';

/** OpenAI's Responses API. */
export function createResponsesDialect(): Dialect {
  const body = new ResponsesRequest();
  return {
    name: 'responses',
    write: (request, style) => body.write(request, style),
    read: (options) => new ResponsesReply(options),
    lessonOf(text, request, style): Capabilities | undefined {
      // A server that has no such address; one that does not know the model says so.
      if (/HTTP (?:404|405)\b/.test(text) && !/model/i.test(text)) return { dialect: 'chat' };
      return commonLesson(text, request, style);
    },
  };
}
