/**
 * Does something for each item, a few at a time, begun in order. Resolves or rejects (with the first failure by order) only
 * when nothing is under way any more; after a failure nothing new is begun.
 */
export async function atOnce<T>(limit: number, items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const failures: { readonly index: number; readonly error: unknown }[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length && failures.length === 0) {
      const index = next;
      next += 1;
      try {
        await act(items[index] as T); // within the bounds of the loop
      } catch (error) {
        failures.push({ index, error });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  const [first] = failures.sort((a, b) => a.index - b.index);
  if (first) throw first.error;
}
