import { join } from 'node:path';
import type { AskedModel } from '../../../shared/model/modelInfo.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import { itemsOf } from '../../../shared/model/timeline.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { ModelClient } from '../model/base/port.ts';
import { type KnownModel, windowIn } from '../model/knownModel.ts';
import type { ProviderSettings } from '../model/providerSettings.ts';
import type { EnginePorts } from '../ports.ts';
import { carefulWindow } from '../session/contextWindow.ts';
import type { Session } from '../session/session.ts';
import type { Models } from './models.ts';
import { effortOfPhase, modelOfPhase } from './phaseModel.ts';

/** The model of one session. One client while the provider's settings stay the same: its connections, and what was learnt of the server, are kept. */
export interface SessionModel {
  /** The name that the next request asks for: the session's own model, or that of its phase. */
  name(): string;
  /**
   * The settings of the session's provider, looked up anew. Each request looks once, as its client is asked for; whatever
   * else asks meanwhile gets what was found then. Errors: CONFIG_INVALID.
   */
  look(): Result<ProviderSettings>;
  /** What is known of the model; undefined where the settings cannot work. */
  known(): KnownModel | undefined;
  /** Tokens of the model's window; undefined where nobody knows it. */
  window(): number | undefined;
  /** Tokens that a conversation is kept within. */
  limit(): number;
  /** The provider refused a request of about so many tokens as too long. */
  tooLong(words: string, tokens: number): void;
  /** Characters of one result that fit beside the rest of a request. */
  resultChars(): number;
  /** The effort of the next request. */
  effort(): string | undefined;
  /** All of that for people. Errors: CONFIG_INVALID. */
  asked(): Result<AskedModel>;
  /** The client for a turn. Errors: CONFIG_INVALID, those of making it. */
  client(turn: string): Promise<Result<ModelClient>>;
  dispose(): void;
}

/** A result may take a quarter of the window, at the usual four characters a token. */
const resultPart = 0.25 * 4;

export function createSessionModel(
  session: Session,
  models: Models,
  ports: EnginePorts,
  userSettings: () => Settings,
): SessionModel {
  let current: { readonly key: string; readonly client: ReturnType<Models['client']> } | undefined;
  /** Of a model whose window nobody names: less than what was refused. */
  let refused: { readonly model: string; readonly below: number } | undefined;
  let askedFor = '';
  const choice = () => {
    const { provider, project, effort: own } = session.state;
    const isSample = project.startsWith(join(ports.places.state, 'samples'));
    const model = modelOfPhase(session.state, userSettings());
    // Neither the session nor its provider's settings speak of a phase's model: a level that it lacks is left out.
    const effort = model === session.state.model ? own || undefined : '';
    return { provider, model, effort, script: isSample ? join(ports.resources, 'sampleScript.json') : undefined };
  };
  let found: { readonly of: string; readonly settings: Result<ProviderSettings>; known?: KnownModel } | undefined;
  const look = (chosen = choice()) => {
    const settings = models.check(chosen);
    found = { of: JSON.stringify(chosen), settings, known: settings.ok ? models.known(settings.value) : undefined };
    return found;
  };
  /** The session's choice changes with its phase, and by the person at any time. */
  const now = () => {
    const chosen = choice();
    return found?.of === JSON.stringify(chosen) ? found : look(chosen);
  };
  const known = (): KnownModel | undefined => now().known;
  const window = (): number | undefined =>
    known()?.window ?? (refused?.model === choice().model ? refused.below : undefined);
  const drop = (): void => {
    void current?.client.then((client) => client.ok && client.value.dispose());
    current = undefined;
  };
  const effort = (): string => {
    const { settings, known: { efforts } = {} } = now();
    const wanted = effortOfPhase(session.state, userSettings(), efforts) || (settings.ok ? settings.value.effort : '');
    // A level that a phase's model does not have is none of its: it was asked of another one.
    return efforts === undefined || efforts.includes(wanted) ? wanted : '';
  };
  return {
    name: () => choice().model,
    look: () => look().settings,
    known,
    window,
    limit: () => window() ?? carefulWindow,
    tooLong(words, tokens) {
      const named = windowIn(words);
      const { settings } = now();
      if (named !== undefined && settings.ok) {
        models.learn(settings.value, { window: named });
        look();
      } else refused = { model: choice().model, below: Math.min(window() ?? tokens, Math.floor(tokens * 0.8)) };
    },
    resultChars() {
      const tokens = window();
      const { resultChars } = userSettings().agent;
      return tokens === undefined ? resultChars : Math.min(resultChars, Math.floor(tokens * resultPart));
    },
    effort: () => effort() || undefined,
    asked() {
      const { state } = session;
      look();
      const asked = models.asked(choice());
      if (!asked.ok) return asked;
      const isOther = asked.value.name !== (state.model || asked.value.name);
      const ownEffort = effortOfPhase(state, userSettings(), asked.value.efforts);
      const ofPhase: AskedModel['ofPhase'] = [
        ...(isOther ? (['model'] as const) : []),
        ...(ownEffort !== state.effort ? (['effort'] as const) : []),
      ];
      return ok({ ...asked.value, effort: effort(), ofPhase });
    },
    async client(turn) {
      const { settings } = look();
      if (!settings.ok) {
        drop();
        return settings;
      }
      const { name, kind, model } = settings.value;
      // A server on this machine is asked while it answers the first request: its word counts from the second on.
      if (kind === 'openai_compatible' && askedFor !== `${name} ${model}` && window() === undefined) {
        askedFor = `${name} ${model}`;
        void models.askWindow(settings.value);
      }
      // A script may have been written anew since the last turn; model and effort go with each request.
      const key =
        kind === 'scripted' ? turn : JSON.stringify({ ...settings.value, model: '', effort: '', sources: {} });
      if (current?.key === key) return current.client;
      drop();
      current = { key, client: models.client(settings.value, repliesOf(session.state)) };
      return current.client;
    },
    dispose: drop,
  };
}

/** How many replies a session has had: where a script goes on after a restart. */
export function repliesOf({ items }: SessionState): number {
  let replies = 0;
  for (const item of itemsOf(items)) if (item.kind === 'assistant') replies += 1;
  return replies;
}
