import type { Clock } from './clock.ts';

/** Takes known keys out of a text. */
export type Redact = (text: string) => string;

/** Shorter ones are place-holders for local servers ("ollama", "EMPTY") and would take words out of every text. */
const shortestKey = 12;
/** Asking a keychain is slow; a new key counts after this, ms. */
const keepMs = 1_000;

/**
 * For what outlives a session (S5): a key that stood in a file or an output must not stand in a journal or an export. What
 * the person is shown to approve is never touched.
 */
export function createRedact(keys: () => readonly string[], clock: Clock): Redact {
  let known: readonly string[] = [];
  let asked = Number.NEGATIVE_INFINITY;
  return (text) => {
    if (clock.monotonicMs() - asked >= keepMs) {
      known = keys()
        .filter((key) => key.length >= shortestKey)
        .flatMap((key) => [key, JSON.stringify(key).slice(1, -1)]);
      asked = clock.monotonicMs();
    }
    return known.reduce((cleaned, key) => cleaned.replaceAll(key, '***'), text);
  };
}

/** The same value without keys in its texts and names. */
export function redactValue<T>(value: T, redact: Redact): T {
  const text = JSON.stringify(value);
  return redact(text) === text ? value : (cleaned(text, redact) as T);
}

/** The same as JSON: what holds no key, nearly all, becomes text only once. */
export function redactedJson(value: object, redact: Redact): string {
  const text = JSON.stringify(value);
  return redact(text) === text ? text : JSON.stringify(cleaned(text, redact));
}

function cleaned(text: string, redact: Redact): unknown {
  const clean = (_name: string, value: unknown): unknown => {
    if (typeof value === 'string') return redact(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [redact(name), inner]));
  };
  // Taken out of the texts themselves: a key with a backslash would take half of an escape out of the JSON.
  return JSON.parse(text, clean) as unknown;
}
