import type { Dialect } from '../base/dialect.ts';
import { lessonOf } from './chatLesson.ts';
import { ChatReply } from './chatReply.ts';
import { RequestBody } from './requestBody.ts';

/** OpenAI's chat completions, as a hundred servers speak them. */
export function createChatDialect(): Dialect {
  const body = new RequestBody();
  return {
    name: 'chat',
    write: (request, style) => body.write(request, style),
    read: (options) => new ChatReply(options),
    lessonOf,
  };
}
