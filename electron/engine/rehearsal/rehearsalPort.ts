import type { Settings } from '../../../shared/model/settings.ts';
import { shadowWay } from '../exec/sandbox/shadow.ts';
import type { RehearsalPort } from '../tools/project/rehearse.ts';
import type { TaskPort } from '../tools/shell/taskPort.ts';
import type { Look } from '../workspace/look.ts';
import { composeJudged } from './composeJudged.ts';
import { proposeChecks } from './proposeChecks.ts';
import { type KnownRuns, rehearse } from './rehearse.ts';

/** What the `rehearse` tool of a project uses: edits that nobody has judged yet. */
export function createRehearsalPort({
  look,
  tasks,
  settings,
  known,
  folder,
}: {
  readonly look: Look;
  readonly tasks: TaskPort;
  readonly settings: () => Pick<Settings, 'rehearsal'>;
  readonly known: KnownRuns;
  readonly folder: () => string;
}): RehearsalPort {
  return {
    checks: (changes) =>
      proposeChecks(
        settings().rehearsal.checks,
        look,
        tasks,
        changes.map(({ path }) => path),
      ),
    rehearse: async (changes, checks, { call, signal, runCommand }) =>
      rehearse({
        look,
        tasks,
        checks,
        known,
        signal,
        folder: folder(),
        judged: await composeJudged([{ call, changes }], new Map(), look),
        way: shadowWay(),
        maxSeconds: settings().rehearsal.maxSeconds,
        run: runCommand,
      }),
  };
}
