import type { AskedModel } from '../../../shared/model/modelInfo.ts';
import { useAnswer } from '../../client/useAnswer.ts';
import { useShown } from '../../view/shown.ts';
import { useSession, useWorkbench } from '../../view/useSession.ts';

/** Whom the next request of the session on show asks, or that of a new one; null until it is known. */
export function useAskedModel(): AskedModel | null {
  const session = useShown((shown) => shown.session);
  // What it can depend on; a turn may have taught another dialect.
  const chosen = useSession(({ provider, model, effort, mode, facts, turn }) =>
    [provider, model, effort, mode, facts.phase, turn === null].join(' '),
  );
  const set = useWorkbench(({ settings, providers, activeProvider }) =>
    JSON.stringify([settings.agent.phaseModel, settings.agent.phaseEffort, providers, activeProvider]),
  );
  return useAnswer('session.model', { session: session ?? undefined }, { again: `${chosen} ${set}` })?.model ?? null;
}
