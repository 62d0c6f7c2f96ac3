/** The same type with everything in it read-only: what schemas infer is data that nobody changes. */
export type Immutable<T> = T extends object ? { readonly [K in keyof T]: Immutable<T[K]> } : T;
