import { dialectTitles } from '../../../shared/model/dialect.ts';
import type { AskedModel } from '../../../shared/model/modelInfo.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { costText, countText, usageText } from '../../../shared/text/amounts.ts';
import type { Started } from '../base/startEngine.ts';

interface Talk {
  readonly started: Started;
  readonly state: SessionState;
}

/** `/model [name]`: shows what is known of the session's model, or changes it. Answers a line to print. */
export async function modelSlash(name: string, { started, state }: Talk): Promise<string> {
  const { client } = started;
  if (name !== '') {
    const changed = await client.call('session.configure', { session: state.id, model: name });
    if (!changed.ok) return `error: ${changed.error.message}`;
  }
  const known = await client.call('session.model', { session: state.id });
  return known.ok ? describe(known.value.model) : `error: ${known.error.message}`;
}

/** `/effort [level]`: shows the effort of the session and its phase, or changes that of the session. */
export async function effortSlash(level: string, { started, state }: Talk): Promise<string> {
  const { client } = started;
  if (level !== '') {
    const effort = /^(?:default|usual)$/i.test(level) ? '' : level;
    const changed = await client.call('session.configure', { session: state.id, effort });
    if (!changed.ok) return `error: ${changed.error.message}`;
  }
  const asked = await client.call('session.model', { session: state.id });
  if (!asked.ok) return `error: ${asked.error.message}`;
  const { efforts, effort, name, ofPhase } = asked.value.model;
  const why = ofPhase.includes('effort') ? ' (of this phase, by agent.phaseEffort)' : '';
  const has = efforts === undefined ? 'its levels are unknown' : `it has ${efforts.join(', ') || 'none to choose'}`;
  return `effort: ${effort || 'default'}${why}; ${name}: ${has}`;
}

/** `/cost`: tokens and dollars of the turn, the session and the day. */
export async function costSlash({ started, state }: Talk): Promise<string> {
  const today = await started.client.call('usage.today', {});
  const { saved = 0 } = state.usage;
  return [
    `turn     ${usageText(state.turnUsage)}`,
    `session  ${usageText(state.usage)}`,
    ...(today.ok ? [`today    ${usageText(today.value.usage)}`] : []),
    ...(saved > 0 ? [`the cache has saved ${costText(saved)} in this session`] : []),
  ].join('\n');
}

function describe({ name, window, price, dialect, dialectFrom }: AskedModel): string {
  const cost = price && `${costText(price.input)} in, ${costText(price.output)} out for a million tokens`;
  return `model: ${name} · window ${window === undefined ? 'unknown' : countText(window)} · ${cost ?? 'price unknown'} · ${dialectTitles[dialect]} (${dialectFrom})`;
}
