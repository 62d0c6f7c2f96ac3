import { type Finding, findingLine, type Rehearsal, rehearsalLine } from '../../../shared/model/rehearsal.ts';
import { bytesAfter } from '../workspace/hands.ts';
import type { ProposedChange } from '../workspace/proposedChange.ts';
import { hashOf } from '../workspace/textFile.ts';
import type { JudgedChange, Proposal } from './composeJudged.ts';

/** Findings that one answer tells. */
const maxTold = 10;
/** Calls whose rehearsal is remembered until their answer is told. */
const maxCalls = 100;

interface Kept {
  /** The call's files as they were tried last. */
  readonly tried: string;
  readonly rehearsal: Rehearsal;
  /** What its hunks broke in any rehearsal, by file and hunk. */
  readonly broke: Map<string, Finding>;
}

/** What was learnt of the waiting calls, for the model that is told what became of them. */
export interface Remarks {
  keep(waiting: readonly Proposal[], judged: readonly JudgedChange[], rehearsal: Rehearsal): void;
  /** `changes`: what is written of the call. Told once. */
  of(call: string, changes: readonly ProposedChange[]): readonly string[];
}

export function createRemarks(): Remarks {
  const kept = new Map<string, Kept>();
  return {
    keep(waiting, judged, rehearsal) {
      for (const { call } of waiting) {
        const own = judged.filter((one) => one.call === call).map(({ change }) => change);
        const broke = kept.get(call)?.broke ?? new Map<string, Finding>();
        for (const finding of rehearsal.findings)
          if (finding.place?.call === call && finding.severity === 'error')
            broke.set(`${finding.place.path} ${finding.place.hunk}`, finding);
        kept.set(call, { tried: printOf(own), rehearsal, broke });
      }
      for (const call of kept.keys()) {
        if (kept.size <= maxCalls) break;
        kept.delete(call);
      }
    },
    of(call, changes) {
      const known = kept.get(call);
      kept.delete(call);
      if (!known) return [];
      const { tried, rehearsal, broke } = known;
      const isAsWritten = changes.length > 0 && tried === printOf(changes) && rehearsal.state === 'done';
      const found = isAsWritten ? rehearsal.findings.filter(({ place }) => !place || place.call === call) : [];
      const still = new Set(found.flatMap(({ place }) => (place ? [`${place.path} ${place.hunk}`] : [])));
      const gone = [...broke].filter(([key]) => !still.has(key)).map(([, finding]) => finding);
      return [
        ...(isAsWritten ? [`Tried before it was written: ${rehearsalLine(rehearsal)}`] : []),
        ...found.slice(0, maxTold).map(findingLine),
        ...gone
          .slice(0, maxTold)
          .map((finding) => `Broke when it was tried, hunk ${(finding.place?.hunk ?? 0) + 1}: ${findingLine(finding)}`),
      ];
    },
  };
}

function printOf(changes: readonly ProposedChange[]): string {
  return JSON.stringify(
    changes.map((change) => {
      const bytes = bytesAfter(change);
      return [change.path, change.oldPath, bytes.ok && bytes.value ? hashOf(bytes.value) : null];
    }),
  );
}
