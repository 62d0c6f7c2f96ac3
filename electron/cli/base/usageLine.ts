import type { Usage } from '../../../shared/model/usage.ts';
import { costText, spentText, usageText } from '../../../shared/text/amounts.ts';
import type { Started } from './startEngine.ts';

/**
 * Tells what the newest turn of a session took (unless a printer `told` it), and what session and day have cost; nothing
 * where no model counted.
 */
export async function tellUsage(
  { client, engine }: Started,
  session: string,
  say: (line: string) => void,
  told = false,
): Promise<void> {
  const state = engine.sessions.live(session)?.session.state;
  if (!state || state.turnUsage.input + state.turnUsage.output === 0) return;
  const today = await client.call('usage.today', {});
  const saved = state.usage.saved ?? 0;
  const parts = [
    ...(told ? [] : [usageText(state.turnUsage)]),
    ...costPart('session', state.usage),
    ...(today.ok ? costPart('today', today.value.usage) : []),
    ...(saved > 0 ? [`the cache has saved ${costText(saved)}`] : []),
  ];
  if (parts.length > 0) say(parts.join(' · '));
}

function costPart(what: string, usage: Usage): readonly string[] {
  return usage.cost ? [`${what} ${spentText(usage)}`] : [];
}
