import type { SessionState } from '../../../shared/model/sessionState.ts';
import type { Settings } from '../../../shared/model/settings.ts';

type Chosen = Pick<SessionState, 'provider' | 'model' | 'effort' | 'mode'> & {
  readonly facts: Pick<SessionState['facts'], 'phase'>;
};

/**
 * The model that a session asks now: the one that the settings give its phase, where that is of the session's provider
 * (no other provider is asked unbidden), else its own. Empty: what the provider's settings name.
 */
export function modelOfPhase({ provider, model, mode, facts }: Chosen, { agent }: Settings): string {
  const own = mode === 'phased' ? agent.phaseModel[facts.phase] : undefined;
  return own?.provider === provider ? own.model : model;
}

/** The effort that it asks for now: that of its phase where the model has it, else its own; empty: what is usual. */
export function effortOfPhase(
  { effort, mode, facts }: Chosen,
  { agent }: Settings,
  /** The levels of the model; undefined: nobody knows them, and any may be tried. */
  efforts: readonly string[] | undefined,
): string {
  const own = mode === 'phased' ? agent.phaseEffort[facts.phase] : undefined;
  return own !== undefined && (efforts === undefined || efforts.includes(own)) ? own : effort;
}
