import type * as z from 'zod';
import { create, type StoreApi, type UseBoundStore } from 'zustand';

const storage = typeof localStorage === 'undefined' ? undefined : localStorage;

/** What an earlier page kept under this name. Each value of the schema has its default, which stands in for anything odd. */
export function restored<T>(schema: z.ZodType<T>, text: string | null): T {
  try {
    return schema.parse(JSON.parse(text ?? '{}'));
  } catch {
    return schema.parse({});
  }
}

/** A store that outlives the page, whole: the names and kinds of what is kept are those of its schema. */
export function keptStore<T extends object>(name: string, schema: z.ZodType<T>): UseBoundStore<StoreApi<T>> {
  const store = create<T>(() => restored(schema, storage?.getItem(name) ?? null));
  store.subscribe((state) => storage?.setItem(name, JSON.stringify(state)));
  return store;
}
