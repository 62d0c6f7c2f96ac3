import type { Intent, Target } from '../../../shared/model/intent.ts';

/** Whether two calls could disturb each other, the first being under way. Those that only read never do. */
export function meets(first: Intent, second: Intent): boolean {
  if (isReader(first) && isReader(second)) return false;
  if (isUnbounded(first) || isUnbounded(second)) return true;
  return first.targets.some((a) => second.targets.some((b) => sameTarget(a, b)));
}

export function isReader({ effects, provenReadOnly = false }: Intent): boolean {
  return !effects.includes('writes') && (provenReadOnly || !effects.includes('executes'));
}

/** Nobody knows what such a command touches. */
function isUnbounded({ effects, provenReadOnly = false }: Intent): boolean {
  return effects.includes('executes') && !provenReadOnly;
}

function sameTarget(a: Target, b: Target): boolean {
  if (a.kind === 'command' || b.kind === 'command') return true; // a reading command may read anything
  if (a.kind !== 'path' || b.kind !== 'path') return JSON.stringify(a) === JSON.stringify(b);
  if (a.access === 'read' && b.access === 'read') return false;
  const [upper, lower] = a.path.length < b.path.length ? [a.path, b.path] : [b.path, a.path];
  return upper === lower || upper === '.' || lower.startsWith(`${upper}/`);
}
