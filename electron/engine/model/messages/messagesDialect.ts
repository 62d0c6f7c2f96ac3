import type { Capabilities } from '../base/capabilities.ts';
import { commonLesson } from '../base/commonLesson.ts';
import type { Dialect } from '../base/dialect.ts';
import { MessagesReply } from './messagesReply.ts';
import { MessagesRequest } from './messagesRequest.ts';

/** Anthropic's Messages API. */
export function createMessagesDialect(): Dialect {
  const body = new MessagesRequest();
  return {
    name: 'messages',
    write: (request, style) => body.write(request, style),
    read: (options) => new MessagesReply(options),
    lessonOf(text, request, style): Capabilities | undefined {
      // "max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for …"
      const most = /max_tokens: \d+ > (\d+)/.exec(text)?.[1];
      if (most !== undefined && Number(most) < style.maxOutput) return { maxOutput: Number(most) };
      if (style.thinking === 'adaptive' && /adaptive/i.test(text)) return { thinking: 'budget' };
      if (
        style.thinking === 'budget' &&
        /thinking\.type.{0,40}enabled|budget_tokens.{0,60}not (?:supported|allowed)/i.test(text)
      )
        return { thinking: 'adaptive' };
      if (style.thinking !== 'none' && /thinking.{0,60}not supported/i.test(text)) return { thinking: 'none' };
      return commonLesson(text, request, style);
    },
  };
}
