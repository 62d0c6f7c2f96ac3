import { createRequire } from 'node:module';
import type * as NodePty from 'node-pty';

/** The part of node-pty's native interface that we use. It is not public: the version is pinned. */
export interface NativePty {
  open(columns: number, rows: number): { readonly master: number; readonly slave: number; readonly pty: string };
  resize(master: number, columns: number, rows: number): void;
}

export interface LoadedPty {
  readonly spawn: typeof NodePty.spawn;
  /** Missing on Windows. */
  readonly native: NativePty | null;
}

/** Loads the module when it is needed: it brings a native part along. Throws when that was not built for this platform. */
export function loadNodePty(): LoadedPty {
  return createRequire(import.meta.url)('node-pty') as LoadedPty;
}
