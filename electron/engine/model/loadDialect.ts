import type { DialectName } from '../../../shared/model/dialect.ts';
import type { Dialect } from './base/dialect.ts';

/** The code of a dialect is loaded when a provider first speaks it. */
export async function loadDialect(name: DialectName): Promise<Dialect> {
  switch (name) {
    case 'chat':
      return (await import('./chat/chatDialect.ts')).createChatDialect();
    case 'responses':
      return (await import('./responses/responsesDialect.ts')).createResponsesDialect();
    case 'messages':
      return (await import('./messages/messagesDialect.ts')).createMessagesDialect();
  }
}
