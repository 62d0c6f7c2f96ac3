import type { Capabilities } from '../base/capabilities.ts';
import { commonLesson } from '../base/commonLesson.ts';
import type { Dialect } from '../base/dialect.ts';
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
      // A server that has no such address; one that does not know the model, or Azure the deployment, says so.
      if (/HTTP (?:404|405)\b/.test(text) && !/model|deployment/i.test(text)) return { dialect: 'chat' };
      if (
        /responses? operation does not work|not (?:accessible|supported|available)[^.]{0,30}\/responses\b/i.test(text)
      )
        return { dialect: 'chat' };
      // "Encrypted content is not supported with this model": one that does not think.
      if (style.thinking !== 'none' && /encrypted content is not supported/i.test(text)) return { thinking: 'none' };
      // "Your organization must be verified to generate reasoning summaries": it may think without telling of it.
      if (style.summary && /reasoning[ ._]summar/i.test(text)) return { summary: false };
      return commonLesson(text, request, style);
    },
  };
}
