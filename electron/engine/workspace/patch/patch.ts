export type PatchStatus = 'added' | 'deleted' | 'modified' | 'renamed' | 'copied' | 'mode-changed';

/** Why a hunk is not taken at its word. It applies only where its old lines stand in exactly one place. */
export interface HunkDoubt {
  /** 1-based line of the patch where its header stands. */
  readonly line: number;
  readonly why: string;
  /** The header states no line, so its numbers say nothing. */
  readonly hasNoNumbers: boolean;
  /** A line named beside the `@@`, which stands in the hunk or before it. */
  readonly anchor?: string;
  /** Numbers of the lines that have no sign in front. */
  readonly unsigned: ReadonlySet<number>;
  /** Lines without a sign behind the last one with a sign: context, or talk that follows the patch. */
  readonly tail: readonly string[];
  /** The line that ended it: the header of what follows, or a line of the file that looks like one. */
  readonly endedBy?: string;
  /** The patch ends in a change, before the lines that the header promises. */
  readonly seemsCut: boolean;
}

/** One hunk of unified text. */
export interface PatchHunk {
  /** As the header states them, 1-based; 0 for a side that is empty at the start of the file. Counted anew for a hunk in doubt. */
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** What stands behind the second `@@`. */
  readonly header: string;
  /** Sign (blank, `-`, `+`) and text, without the line feed; a CR that belongs to the content is kept. */
  readonly lines: readonly string[];
  /** The last line of the side has no line feed. */
  readonly oldNoEol: boolean;
  readonly newNoEol: boolean;
  readonly doubt?: HunkDoubt;
}

/** One chunk of the `*** Begin Patch` envelope: no line numbers, found by its content. */
export interface PatchChunk {
  /** The texts behind `@@`: lines to look for first, one after the other. */
  readonly anchors: readonly string[];
  readonly lines: readonly string[];
  /** `*** End of File` stands behind it. */
  readonly atEnd: boolean;
}

/** The section of one file. Names are as written but for the `a/` and `b/` in front; they are checked when the patch is planned. */
export interface PatchFile {
  readonly status: PatchStatus;
  readonly oldPath: string | null;
  readonly newPath: string | null;
  readonly oldMode?: string;
  readonly newMode?: string;
  readonly isBinary: boolean;
  readonly hunks: readonly PatchHunk[];
  /** Only in the envelope. */
  readonly chunks?: readonly PatchChunk[];
  /** 1-based line of the patch where the section begins. */
  readonly line: number;
  /** The section has a `diff --git` line. */
  readonly isGit: boolean;
  /** Both names as a plain section gives them: `diff -ru OLD NEW` puts a folder of its own in front of each. */
  readonly plainNames?: { readonly oldName: string; readonly newName: string };
}

export interface Patch {
  readonly format: 'unified' | 'envelope';
  readonly files: readonly PatchFile[];
  /** The same text when header lines of a file end a hunk whatever its counts say: tried when the first reading does not apply. */
  readonly otherwise?: Patch;
}

/** Lines that come and go. */
export function countChanges(file: PatchFile): { readonly additions: number; readonly deletions: number } {
  let additions = 0;
  let deletions = 0;
  for (const { lines } of [...file.hunks, ...(file.chunks ?? [])]) {
    for (const line of lines) {
      if (line.startsWith('+')) additions += 1;
      else if (line.startsWith('-')) deletions += 1;
    }
  }
  return { additions, deletions };
}

/** The name by which people know the file. */
export function pathOf(file: PatchFile): string {
  return file.newPath ?? file.oldPath ?? '';
}
