import { join } from 'node:path';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import { itemsOf } from '../../../shared/model/timeline.ts';
import type { Result } from '../../../shared/result.ts';
import type { ModelClient } from '../model/base/port.ts';
import { type KnownModel, windowIn } from '../model/knownModel.ts';
import type { ProviderSettings } from '../model/providerSettings.ts';
import type { EnginePorts } from '../ports.ts';
import { carefulWindow } from '../session/contextWindow.ts';
import type { Session } from '../session/session.ts';
import type { Models } from './models.ts';

/** The model of one session. One client while the provider's settings stay the same: its connections, and what was learnt of the server, are kept. */
export interface SessionModel {
  /** The settings of the session's provider now. Errors: CONFIG_INVALID. */
  settings(): Result<ProviderSettings>;
  /** What is known of the model; undefined where the settings cannot work. */
  known(): KnownModel | undefined;
  /** Tokens of the model's window; undefined where nobody knows it. */
  window(): number | undefined;
  /** Tokens that a conversation is kept within. */
  limit(): number;
  /** The provider refused a request of about so many tokens as too long. */
  tooLong(words: string, tokens: number): void;
  /** Characters of one result that fit beside the rest of a request. */
  resultChars(settings: Settings): number;
  /** The effort of the next request. */
  effort(state: SessionState, settings: Settings): string | undefined;
  /** The client for a turn. Errors: CONFIG_INVALID, those of making it. */
  client(turn: string): Promise<Result<ModelClient>>;
  dispose(): void;
}

/** A result may take a quarter of the window, at the usual four characters a token. */
const resultPart = 0.25 * 4;

export function createSessionModel(session: Session, models: Models, ports: EnginePorts): SessionModel {
  let current: { readonly key: string; readonly client: ReturnType<Models['client']> } | undefined;
  /** Of a model whose window nobody names: less than what was refused. */
  let refused: { readonly model: string; readonly below: number } | undefined;
  let askedFor = '';
  const choice = () => {
    const { provider, model, project, effort } = session.state;
    const isSample = project.startsWith(join(ports.places.state, 'samples'));
    return { provider, model, effort, script: isSample ? join(ports.resources, 'sampleScript.json') : undefined };
  };
  const settings = (): Result<ProviderSettings> => models.check(choice());
  const known = (): KnownModel | undefined => models.known(choice());
  const window = (): number | undefined =>
    known()?.window ?? (refused?.model === session.state.model ? refused.below : undefined);
  const drop = (): void => {
    void current?.client.then((client) => client.ok && client.value.dispose());
    current = undefined;
  };
  return {
    settings,
    known,
    window,
    limit: () => window() ?? carefulWindow,
    tooLong(words, tokens) {
      const named = windowIn(words);
      if (named !== undefined) models.learn(choice(), { window: named });
      else refused = { model: session.state.model, below: Math.min(window() ?? tokens, Math.floor(tokens * 0.8)) };
    },
    resultChars({ agent }) {
      const tokens = window();
      return tokens === undefined ? agent.resultChars : Math.min(agent.resultChars, Math.floor(tokens * resultPart));
    },
    effort({ effort, mode, facts }, { agent }) {
      const { efforts } = known() ?? {};
      const ofPhase = mode === 'phased' ? agent.phaseEffort[facts.phase] : undefined;
      if (ofPhase !== undefined && (efforts === undefined || efforts.includes(ofPhase))) return ofPhase;
      const now = settings();
      return effort || (now.ok ? now.value.effort : '') || undefined;
    },
    client(turn) {
      const now = settings();
      const { provider, model } = session.state;
      // A server on this machine is asked while it answers the first request: its word counts from the second on.
      if (
        now.ok &&
        now.value.kind === 'openai_compatible' &&
        askedFor !== `${provider} ${model}` &&
        window() === undefined
      ) {
        askedFor = `${provider} ${model}`;
        void models.askWindow(choice());
      }
      // A script may have been written anew since the last turn; an effort goes with each request.
      const key = now.ok && now.value.kind === 'scripted' ? turn : JSON.stringify(now);
      if (current?.key === key) return current.client;
      drop();
      current = { key, client: models.client({ ...choice(), usedReplies: repliesOf(session) }) };
      return current.client;
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
