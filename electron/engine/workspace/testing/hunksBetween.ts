import type { Hunk } from '../../../../shared/model/change.ts';
import { diffRuns } from '../../../../shared/text/diffRuns.ts';
import { splitLines } from '../../../../shared/text/lines.ts';
import { hunksOfRuns } from '../diff.ts';

/** The hunks in which two texts differ, compared here and now. */
export function hunksBetween(before: string, after: string): readonly Hunk[] {
  return hunksOfRuns(diffRuns(splitLines(before), splitLines(after)));
}
