import { createContext, Script } from 'node:vm';

/** How long one match may take, in milliseconds; it blocks the engine meanwhile. */
const maxMatchMs = 100;
/** What is looked at; a version or a success message stands near the beginning. */
const maxText = 200_000;

let compiled: { readonly script: Script; readonly context: NodeJS.Dict<unknown> } | undefined;

/**
 * The groups of the first match of a pattern that somebody else wrote, or undefined. A pattern that is no regular
 * expression, or that backtracks for longer than 100 ms, matches nothing. V8 interrupts a running regular expression when
 * a `vm` script runs out of time; that costs no thread, and a check of the pattern's shape would refuse harmless ones.
 */
export function matchGuarded(pattern: string, text: string): readonly (string | undefined)[] | undefined {
  compiled ??= {
    script: new Script(
      'JSON.stringify(((found) => found === null ? null : [...found])(new RegExp(source).exec(text)))',
    ),
    context: createContext({}),
  };
  const { script, context } = compiled;
  context['source'] = pattern;
  context['text'] = text.slice(0, maxText);
  try {
    const found: unknown = script.runInContext(context, { timeout: maxMatchMs });
    const groups = JSON.parse(String(found)) as (string | null)[] | null; // our own script wrote it
    return groups?.map((group) => group ?? undefined);
  } catch {
    return undefined;
  } finally {
    context['text'] = '';
  }
}

export function isRegex(pattern: string): boolean {
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}
