import { fail } from '../../../shared/result.ts';
import { systemMessage } from '../session/settleCall.ts';
import type { LanePort } from '../tools/project/bringHome.ts';
import type { FileOutcome } from '../workspace/proposedChange.ts';
import { composePicks } from './composePicks.ts';
import type { LanesDeps } from './laneCare.ts';
import { wantedLanes } from './lanes.ts';

/** What the tool that brings lanes home sees of those of one project. */
export function createLanePort(deps: LanesDeps, project: string): LanePort {
  const { records, sessions, log } = deps;
  return {
    async compose(picks) {
      if (records.ofFolder(project))
        return fail('UNAVAILABLE', 'This session is in a lane. Lanes come home in a session of their project.');
      const wanted = await wantedLanes(deps, project, picks);
      return wanted.ok ? composePicks(wanted.value) : wanted;
    },
    async tell(taken, files) {
      for (const lane of new Set(taken.map((one) => one.lane))) {
        const session = records.find(project, lane)?.session;
        if (!session) continue;
        const opened = await sessions.open(session);
        // It is open elsewhere, or was deleted: the files are home all the same.
        if (!opened.ok) {
          log.warn(`the lane ${lane} could not be told what came home`, opened.error);
          continue;
        }
        const words = taken.filter((one) => one.lane === lane).map(({ path }) => verdictLine(path, files));
        const { state, emit } = opened.value.session;
        emit(systemMessage(state.turn?.id ?? '', `The person judged what this lane changed. ${words.join('; ')}.`));
      }
    },
  };
}

function verdictLine(path: string, files: readonly FileOutcome[]): string {
  const file = files.find((one) => one.path === path);
  if (!file) return `${path}: written`;
  const comments = file.comments.map(({ text }) => ` (${text})`).join('');
  const hunks = file.kept.length + file.rejected.length;
  switch (file.verdict) {
    case 'applied':
      return `${path}: written${comments}`;
    case 'edited':
      return `${path}: written as the person edited it${comments}`;
    case 'partial':
      return `${path}: ${file.kept.length} of ${hunks} hunks written${comments}`;
    case 'rejected':
      return `${path}: not wanted${comments}`;
  }
}
