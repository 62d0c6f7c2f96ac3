import type { Intent, Target } from '../../../shared/model/intent.ts';

/** Whether two calls could disturb each other, the first being under way. Those that only read never do. */
export function meets(first: Intent, second: Intent): boolean {
  if (isReader(first) && isReader(second)) return false;
  if (isUnbounded(first) || isUnbounded(second)) return true;
  return first.targets.some((a) => second.targets.some((b) => sameTarget(a, b)));
}

/** Whether a call leaves the world as it is, as far as another call could tell. */
export function isReader(intent: Intent): boolean {
  const { effects, provenReadOnly = false } = intent;
  return !callsOthers(intent) && !effects.includes('writes') && (provenReadOnly || !effects.includes('executes'));
}

/** Nobody knows what such a command touches. */
function isUnbounded(intent: Intent): boolean {
  const { effects, provenReadOnly = false } = intent;
  return callsOthers(intent) || (effects.includes('executes') && !provenReadOnly);
}

/** A line of the pseudo CLI does nothing itself: what it calls has intents of its own, not known yet. */
function callsOthers({ effects, preview }: Intent): boolean {
  return effects.length === 0 && preview.kind === 'text';
}

function sameTarget(a: Target, b: Target): boolean {
  if (a.kind === 'command' || b.kind === 'command') return true; // a reading command may read anything
  if (a.kind !== 'path' || b.kind !== 'path') return JSON.stringify(a) === JSON.stringify(b);
  if (a.access === 'read' && b.access === 'read') return false;
  const [upper, lower] = a.path.length < b.path.length ? [a.path, b.path] : [b.path, a.path];
  return upper === lower || upper === '.' || lower.startsWith(`${upper}/`);
}
