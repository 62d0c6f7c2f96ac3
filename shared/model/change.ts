/** A run of lines that differ. Line numbers are 1-based; a side with 0 lines starts at the line *before* the gap. */
export interface Hunk {
  readonly index: number;
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
}

/** Content by its identity: the SHA-256 (hex) of the bytes. The bytes themselves are fetched with `content.read`. */
export type ContentId = string;

/** The proposed content of one file, as it crosses the wire and stands in the journal. */
export interface Change {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly oldPath?: string;
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed';
  readonly before: ContentId | null;
  readonly after: ContentId | null;
  readonly binary?: boolean;
  /** Set when the executable bit is to change. */
  readonly executable?: boolean;
  readonly additions: number;
  readonly deletions: number;
  readonly hunks: readonly Hunk[];
  /** Why this path is always asked (P12), in words; absent for ordinary files. */
  readonly protectedBy?: string;
}

/** What the person decided about one file of a change set. */
export interface FileVerdict {
  readonly path: string;
  /** `all`, `none`, or the indexes of the hunks that stay. Ignored when `content` is given. */
  readonly keep: 'all' | 'none' | readonly number[];
  /** The whole final text, when the person edited the proposed side. Line ends are matched to the file's own. */
  readonly content?: string;
  /** What the model is told about single hunks (or about the whole file, without an index). */
  readonly comments?: readonly { readonly hunk?: number; readonly text: string }[];
}

/** One file of a change set as it was really written. */
export interface AppliedFile {
  readonly path: string;
  readonly oldPath?: string;
  readonly status: Change['status'];
  readonly before: ContentId | null;
  readonly after: ContentId | null;
  readonly additions: number;
  readonly deletions: number;
  /** How the written content relates to the proposal. */
  readonly verdict: 'applied' | 'edited' | 'partial' | 'rejected';
  /** Permission bits (0o7777) before and after, so that an undo brings back a script as a script. */
  readonly beforeMode?: number;
  readonly afterMode?: number;
  /** Folders that were made for this file, outermost first; an undo removes them when they are empty again. */
  readonly madeFolders?: readonly string[];
}

/** A change set that was applied together, and can be taken back together. */
export interface AppliedChangeSet {
  readonly id: string;
  readonly call: string;
  /** All calls that were written with it, in their order; absent where there is only the one. */
  readonly calls?: readonly string[];
  readonly turn: string;
  readonly at: string;
  readonly files: readonly AppliedFile[];
  /** An undo can be taken back too: `applied` again after a redo. */
  readonly state: 'applied' | 'undone';
}
