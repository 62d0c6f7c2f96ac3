import type { SessionEvent } from '../../../shared/model/event.ts';

/** The fact that a session begins with. */
export const started: SessionEvent = {
  type: 'session.started',
  id: 's',
  project: '/p',
  title: '',
  mode: 'direct',
  provider: '',
  model: '',
};
