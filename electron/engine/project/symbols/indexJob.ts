import type { IndexAnswer, IndexedSymbols } from './indexAnswer.ts';

/** Where the thread works. */
export interface IndexPlace {
  /** The project, a real path. */
  readonly root: string;
  /** The database; it is made when it is missing. */
  readonly file: string;
}

export interface IndexThreadData extends IndexPlace {
  /** Who works on it, of all processes: the next thread of the same index goes on where this one was ended. */
  readonly owner: string;
  /** How many questions are being answered, shared with who asks; work ends early while there are any. */
  readonly holds: Int32Array<SharedArrayBuffer>;
}

export type IndexJob =
  /** Definitions of a name below a folder (`.` for the root). */
  | { readonly id: number; readonly kind: 'find'; readonly name: string; readonly below: string }
  /** What one file defines. */
  | { readonly id: number; readonly kind: 'file'; readonly name: string }
  /** Reads files for about so many milliseconds, or until there is a question; at least one. */
  | { readonly id: number; readonly kind: 'work'; readonly budgetMs: number };

export type IndexReply =
  | { readonly id: number; readonly kind: 'found'; readonly answer: IndexAnswer }
  | { readonly id: number; readonly kind: 'file'; readonly known: IndexedSymbols | undefined }
  /** More has changed than can be read while somebody waits. `isOutside`: only this question is one for a search. */
  | { readonly id: number; readonly kind: 'stale'; readonly isOutside: boolean }
  /** `parsed`: files since the thread began. `isElsewhere`: another process is at it. */
  | {
      readonly id: number;
      readonly kind: 'worked';
      readonly left: number;
      readonly parsed: number;
      readonly isElsewhere: boolean;
    }
  /** No index can be had: too many files, or no place to keep it. */
  | { readonly id: number; readonly kind: 'unavailable'; readonly why: string };
