export interface Disposable {
  dispose(): void;
}

/** Collects what was opened and closes it in reverse order, once. What is added after the end is closed at once. */
export class Disposer implements Disposable {
  #items: Disposable[] = [];
  #disposed = false;

  get disposed(): boolean {
    return this.#disposed;
  }

  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.push(item);
    return item;
  }

  defer(close: () => void): void {
    this.add({ dispose: close });
  }

  dispose(): void {
    this.#disposed = true;
    const items = this.#items.reverse();
    this.#items = [];
    const faults: unknown[] = [];
    for (const item of items) {
      try {
        item.dispose();
      } catch (fault) {
        faults.push(fault); // the rest must still be closed
      }
    }
    if (faults.length > 0) throw new AggregateError(faults, 'something could not be closed');
  }
}

/** A disposable whose closing runs once. */
export function disposable(close: () => void): Disposable {
  let open = true;
  return {
    dispose() {
      if (!open) return;
      open = false;
      close();
    },
  };
}
