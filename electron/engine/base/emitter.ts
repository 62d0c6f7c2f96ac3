import { type Disposable, disposable } from './disposer.ts';

export interface Emitter<T> {
  on(listen: (value: T) => void): Disposable;
  emit(value: T): void;
  readonly size: number;
}

/** Listeners are called in the order they came; one that throws does not keep the others from hearing. */
export function createEmitter<T>(onListenerError: (error: unknown) => void): Emitter<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    on(listen) {
      listeners.add(listen);
      return disposable(() => listeners.delete(listen));
    },
    emit(value) {
      for (const listen of [...listeners]) {
        try {
          listen(value);
        } catch (error) {
          onListenerError(error);
        }
      }
    },
    get size() {
      return listeners.size;
    },
  };
}
