import type { Change } from '../../../shared/model/change.ts';
import { diffRuns } from '../../../shared/text/diffRuns.ts';
import { splitLines } from '../../../shared/text/lines.ts';
import { moveEdits } from '../../../shared/text/moveEdits.ts';
import { type Decision, type Region, regionOf, wholeFile } from './verdict.ts';

/**
 * What was decided about a proposal, on the same proposal made anew on a file that has moved on. Verdicts stay with their
 * hunks as long as these can be told apart; what was typed goes where its lines stand.
 */
export function carriedOver(
  decision: Decision,
  was: Pick<Change, 'hunks'>,
  now: Pick<Change, 'hunks'>,
  proposed: { readonly was: string; readonly now: string },
): Decision {
  const isSame = was.hunks.length === now.hunks.length;
  const edited = decision.edited && moveEdits(proposed.was, decision.edited.text, proposed.now).text;
  const comments = isSame
    ? decision.comments
    : { [wholeFile]: Object.values(decision.comments).filter(Boolean).join('\n') };
  return {
    rejected: isSame ? decision.rejected : [],
    seen: isSame ? decision.seen : undefined,
    comments: Object.values(comments).join('') === '' ? {} : comments,
    edited: edited === null ? null : { text: edited, regions: regionsIn(proposed.now, edited, now) },
  };
}

/** Where the hunks of a proposal stand in a text that was made of it. */
function regionsIn(proposed: string, text: string, { hunks }: Pick<Change, 'hunks'>): readonly Region[] {
  const runs = diffRuns(splitLines(proposed), splitLines(text));
  const moved = (line: number, isEnd: boolean): number => {
    let place = line;
    for (const { aStart, aEnd, bStart, bEnd } of runs) {
      if (aEnd < line || (aEnd === line && !isEnd)) place += bEnd - bStart - (aEnd - aStart);
      else if (aStart < line) return isEnd ? bEnd : bStart;
    }
    return place;
  };
  return hunks.map((hunk) => {
    const { after, lines } = regionOf(hunk);
    const from = moved(after, false);
    return { after: from, lines: lines === 0 ? 0 : Math.max(0, moved(after + lines, true) - from) };
  });
}
