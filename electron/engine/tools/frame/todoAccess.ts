import type { Todo } from '../../../../shared/model/todo.ts';

/** The to-do list of a conversation, for calls that are made in it; others have none. */
export interface TodoAccess {
  /** As it is now; what is written next is written with it in sight. */
  read(): readonly Todo[];
  /** Whether the person has changed it since it was read last, with a request or here. */
  isUnread(): boolean;
}
