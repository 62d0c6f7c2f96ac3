import type { AppliedFile, Change } from '../../../shared/model/change.ts';
import type { BytesFile, TextFile, TextStyle } from './textFile.ts';

/** New content: a text and the manner to write it in (its line ends are written as they stand), or bytes. */
export type NewContent = { readonly text: string; readonly like: TextStyle } | { readonly bytes: Uint8Array };

/** What a tool would like one file to become. Nothing has happened yet. */
export interface ProposedChange {
  /** Relative to the project, or absolute inside it. */
  readonly path: string;
  /** Only for `renamed`. */
  readonly oldPath?: string;
  readonly status: Change['status'];
  /** What the proposal is based on, as it was read; null when the file must not exist. */
  readonly before: TextFile | BytesFile | null;
  /** Null when the file is to be deleted. */
  readonly after: NewContent | null;
  /** Set when the executable bit is to change. */
  readonly executable?: boolean;
  /** Where `path` and `oldPath` really lay when the change was shown; checked again before anything is written. */
  readonly real?: string;
  readonly oldReal?: string;
}

/** How one proposed file fared with the person who judged it. */
export interface FileOutcome {
  readonly path: string;
  readonly verdict: AppliedFile['verdict'];
  /** Indexes of the proposed hunks that stayed, and of those that did not. Empty when the content was edited by hand. */
  readonly kept: readonly number[];
  readonly rejected: readonly number[];
  readonly edited: boolean;
  readonly comments: readonly { readonly hunk?: number; readonly text: string }[];
}

export function isText(file: TextFile | BytesFile): file is TextFile {
  return 'text' in file;
}
