export interface Disposable {
  dispose(): void;
}

export function disposable(dispose: () => void): Disposable {
  let done = false;
  return {
    dispose() {
      if (done) return;
      done = true;
      dispose();
    },
  };
}

/** Collects what was opened, and closes it in reverse order. Registering after the end closes at once. */
export interface Disposer extends Disposable {
  add<T extends Disposable>(opened: T): T;
  onDispose(close: () => void): void;
  readonly disposed: boolean;
}

export function createDisposer(): Disposer {
  const opened: Disposable[] = [];
  let disposed = false;
  const add = <T extends Disposable>(item: T): T => {
    if (disposed) item.dispose();
    else opened.push(item);
    return item;
  };
  return {
    add,
    onDispose: (close) => void add(disposable(close)),
    get disposed() {
      return disposed;
    },
    dispose() {
      disposed = true;
      for (const item of opened.splice(0).reverse()) item.dispose();
    },
  };
}
