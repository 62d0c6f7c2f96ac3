import { type Disposable, disposable } from './disposer.ts';

/**
 * For hosts that serve several sessions and windows: a fault that nobody caught ends what it was part of, and not the
 * engine with everybody's work. Each edge catches its own; this is the net below them.
 */
export function superviseProcess(tell: (what: string, error: unknown) => void): Disposable {
  const rejected = (error: unknown): void => tell('a promise was rejected and nobody heard of it', error);
  const thrown = (error: unknown): void => tell('a fault was caught by nobody', error);
  process.on('unhandledRejection', rejected);
  process.on('uncaughtException', thrown);
  return disposable(() => {
    process.off('unhandledRejection', rejected);
    process.off('uncaughtException', thrown);
  });
}
