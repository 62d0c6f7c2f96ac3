import { join } from 'node:path';
import { itemsOf } from '../../../shared/model/timeline.ts';
import type { Result } from '../../../shared/result.ts';
import type { ModelClient } from '../model/port.ts';
import type { ProviderSettings } from '../model/providerSettings.ts';
import type { EnginePorts } from '../ports.ts';
import { contextWindowOf } from '../session/contextWindow.ts';
import type { Session } from '../session/session.ts';
import type { Models } from './models.ts';

/** The model of one session. One client while the provider's settings stay the same: its connections, and what was learnt of the server, are kept. */
export interface SessionModel {
  /** The settings of the session's provider now. Errors: CONFIG_INVALID. */
  settings(): Result<ProviderSettings>;
  /** Tokens of the model's window. */
  window(): number;
  /** The client for a turn. Errors: CONFIG_INVALID, those of making it. */
  client(turn: string): Promise<Result<ModelClient>>;
  dispose(): void;
}

export function createSessionModel(session: Session, models: Models, ports: EnginePorts): SessionModel {
  let known: { readonly key: string; readonly client: ReturnType<Models['client']> } | undefined;
  const choice = () => {
    const { provider, model, project } = session.state;
    const isSample = project.startsWith(join(ports.places.state, 'samples'));
    return { provider, model, script: isSample ? join(ports.resources, 'sampleScript.json') : undefined };
  };
  const settings = (): Result<ProviderSettings> => models.check(choice());
  const drop = (): void => {
    void known?.client.then((client) => client.ok && client.value.dispose());
    known = undefined;
  };
  return {
    settings,
    window() {
      const now = settings();
      return (now.ok ? now.value.contextTokens : undefined) ?? contextWindowOf(session.state.model);
    },
    client(turn) {
      const now = settings();
      // A script may have been written anew since the last turn.
      const key = now.ok && now.value.kind === 'scripted' ? turn : JSON.stringify(now);
      if (known?.key === key) return known.client;
      drop();
      known = { key, client: models.client({ ...choice(), usedReplies: repliesOf(session) }) };
      return known.client;
    },
    dispose: drop,
  };
}

/** How many replies a session has had: where a script goes on after a restart. */
function repliesOf(session: Session): number {
  let replies = 0;
  for (const item of itemsOf(session.state.items)) if (item.kind === 'assistant') replies += 1;
  return replies;
}
