import type { FileVerdict, Hunk } from '../../../shared/model/change.ts';
import { splitAnyLines, withoutLineEnd } from '../../../shared/text/lines.ts';
import { composeHunks, hunksOfRuns, mergeEdited } from './diff.ts';
import { runsBetween } from './knownRuns.ts';
import { type FileOutcome, isText, type NewContent, type ProposedChange } from './proposedChange.ts';
import { dominantEol, type TextStyle } from './textFile.ts';

/**
 * What is left to write once the person has judged a change set, and what the model is told about each file. Without verdicts
 * (a rule answered) everything stays; in a list of verdicts a file that is not named is rejected.
 */
export function composeVerdict(
  proposed: readonly ProposedChange[],
  verdicts?: readonly FileVerdict[],
): { readonly changes: readonly ProposedChange[]; readonly files: readonly FileOutcome[] } {
  const byPath = new Map(verdicts?.map((verdict) => [verdict.path, verdict]));
  const judged = proposed.map((change) =>
    judge(
      change,
      verdicts ? (byPath.get(change.path) ?? { path: change.path, keep: 'none' }) : { path: change.path, keep: 'all' },
    ),
  );
  return { changes: judged.flatMap(({ change }) => change ?? []), files: judged.map(({ outcome }) => outcome) };
}

interface Judged {
  readonly change: ProposedChange | undefined;
  readonly outcome: FileOutcome;
}

function judge(change: ProposedChange, verdict: FileVerdict): Judged {
  const hunks = proposedHunks(change);
  const all = hunks.map(({ index }) => index);
  const comments = verdict.comments ?? [];
  const outcome = (kind: FileOutcome['verdict'], kept: readonly number[], edited = false): FileOutcome => ({
    path: change.path,
    verdict: kind,
    kept,
    rejected: edited ? [] : all.filter((index) => !kept.includes(index)),
    edited,
    comments,
  });
  if (verdict.content !== undefined) {
    const edited = editedChange(change, verdict.content);
    if (edited === 'same') return { change, outcome: outcome('applied', all) };
    if (edited === 'nothing') return { change: undefined, outcome: outcome('rejected', []) };
    return { change: edited, outcome: outcome('edited', [], true) };
  }
  const { keep } = verdict;
  const kept = keep === 'all' ? all : keep === 'none' ? [] : all.filter((index) => keep.includes(index));
  if (keep === 'all' || (kept.length === all.length && all.length > 0))
    return { change, outcome: outcome('applied', all) };
  if (kept.length === 0) return { change: undefined, outcome: outcome('rejected', []) };
  return {
    change: {
      ...change,
      status: change.status === 'deleted' ? 'modified' : change.status,
      after: partOf(change, kept),
    },
    outcome: outcome('partial', kept),
  };
}

/** The hunks a person sees; none for binary content. */
export function proposedHunks(change: ProposedChange): readonly Hunk[] {
  const texts = textsOf(change);
  return texts ? hunksOfRuns(runsBetween(texts.before, change.after)) : [];
}

function textsOf({ before, after }: ProposedChange): { readonly before: string; readonly after: string } | undefined {
  if (before !== null && !isText(before)) return undefined;
  if (after !== null && 'bytes' in after) return undefined;
  return { before: before?.text ?? '', after: after?.text ?? '' };
}

function partOf(change: ProposedChange, kept: readonly number[]): NewContent | null {
  const texts = textsOf(change);
  const like = styleOf(change);
  return texts && like
    ? { text: composeHunks(texts.before, texts.after, kept, runsBetween(texts.before, change.after)), like }
    : change.after;
}

function styleOf({ before, after }: ProposedChange): TextStyle | undefined {
  if (after !== null && 'like' in after) return after.like;
  return before !== null && isText(before) ? before : undefined;
}

function editedChange(change: ProposedChange, content: string): ProposedChange | 'same' | 'nothing' {
  const texts = textsOf(change);
  const like = styleOf(change);
  if (!texts || !like) return 'nothing';
  // An editor that only made the line ends alike has edited nothing.
  if (change.after !== null && sameLines(texts.after, content)) return 'same';
  const text = mergeEdited(
    change.before === null ? { text: '', eol: endsFor(texts.after, like) } : { text: texts.before, eol: like.eol },
    content,
  );
  const isModified = change.status === 'modified' || change.status === 'deleted';
  if (isModified && text === texts.before && change.executable === undefined) return 'nothing';
  return { ...change, status: change.status === 'deleted' ? 'modified' : change.status, after: { text, like } };
}

function endsFor(proposed: string, like: TextStyle): TextStyle['eol'] {
  return /[\r\n]/.test(proposed) ? dominantEol(proposed) : like.eol;
}

function sameLines(a: string, b: string): boolean {
  const normal = (text: string) =>
    splitAnyLines(text)
      .map((line) => (withoutLineEnd(line) === line ? line : `${withoutLineEnd(line)}\n`))
      .join('');
  return normal(a) === normal(b);
}
