import type { DialectName } from '../../../shared/model/dialect.ts';
import type { Dialect } from './base/dialect.ts';
import { createChatDialect } from './chat/chatDialect.ts';

/** The code of the other dialects is loaded when a provider first speaks one of them. */
export async function loadDialect(name: DialectName): Promise<Dialect> {
  switch (name) {
    case 'chat':
      return createChatDialect(); // at hand: most servers speak it
    case 'responses':
      return (await import('./responses/responsesDialect.ts')).createResponsesDialect();
    case 'messages':
      return (await import('./messages/messagesDialect.ts')).createMessagesDialect();
  }
}
