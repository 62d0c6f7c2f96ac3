/**
 * A selector that makes its answer once a state. Needed where the answer holds fresh objects: a store's reader must get
 * the very same value as long as nothing changed.
 */
export function remembered<S extends object, T>(select: (state: S) => T): (state: S) => T {
  const answers = new WeakMap<S, { readonly value: T }>();
  return (state) => {
    const known = answers.get(state);
    if (known) return known.value;
    const value = select(state);
    answers.set(state, { value });
    return value;
  };
}
