import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Clock } from '../base/clock.ts';
import { askModel, spent } from '../session/askModel.ts';
import type { Session } from '../session/session.ts';
import type { SpendLedger } from '../session/spend.ts';
import type { SessionModel } from './sessionModel.ts';

/** One question to the session's model beside the conversation. */
export type AskOnce = (system: string, text: string) => Promise<Result<string>>;

/** Its cost counts as the session's; nothing of it joins the conversation. Errors: CONFIG_INVALID, those of the provider. */
export function createAskOnce(session: Session, model: SessionModel, ledger: SpendLedger, clock: Clock): AskOnce {
  return async (system, text) => {
    model.look();
    const client = await model.client('');
    if (!client.ok) return client;
    const request = { system, messages: [{ role: 'user', text }], tools: [], model: model.name() } as const;
    const now = (): number => clock.monotonicMs();
    const asked = await askModel(client.value, request, '', () => undefined, now, new AbortController().signal);
    if (!asked.ok) return asked;
    const { usage, text: said } = asked.reply;
    ledger.add(usage);
    if (usage.requests > 0) session.emit({ type: 'usage', turn: '', usage, ...spent(usage) });
    const answer = said.trim();
    return answer === ''
      ? fail('UNAVAILABLE', 'The model answered nothing. Ask again, or write it yourself.')
      : ok(answer);
  };
}
