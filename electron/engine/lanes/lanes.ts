import { existsSync } from 'node:fs';
import type { Lane, LaneFile, LanePick, LanePlan, LaneRecord } from '../../../shared/model/lane.ts';
import type { Mode } from '../../../shared/model/phase.ts';
import type { SubagentOf } from '../../../shared/model/subagent.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { isoTime } from '../base/clock.ts';
import { realFolder } from '../project/projects.ts';
import { letGo, notHome, removeLane, stillHas } from './closeLane.ts';
import { composePicks, describeFile } from './composePicks.ts';
import { ownCommits } from './gitSteps.ts';
import { createLaneCare, type LanesDeps } from './laneCare.ts';
import { countChanges } from './laneDiff.ts';
import { filesOfLane } from './laneFiles.ts';
import { findLane, homeOf, type LaneDeps, openRepositoryOf } from './lanePlaces.ts';
import { type LaneWish, makeLane } from './makeLane.ts';
import { planLane } from './planLane.ts';

export interface NewLane extends LaneWish {
  readonly title?: string | undefined;
  readonly mode: Mode;
  readonly provider: string;
  readonly model: string;
  readonly subagentOf?: SubagentOf | undefined;
}

export interface CreatedLane {
  readonly lane: LaneRecord;
  readonly session: string;
  /** What stands in no commit and is not in the lane. */
  readonly left: readonly string[];
  readonly notes: readonly string[];
}

/** The lanes of all projects. `home` is a project or one of its lanes; a method first puts right what a crash has cut in two. */
export interface Lanes {
  /** Errors: those of `planLane`. */
  plan(home: string, name?: string): Promise<Result<LanePlan>>;
  /** Errors: those of `makeLane` and of making a session. */
  create(wish: NewLane): Promise<Result<CreatedLane>>;
  /** `told`: what was put right after a crash, once. Errors: those of opening the project. */
  list(home: string): Promise<Result<{ readonly lanes: readonly Lane[]; readonly told: readonly string[] }>>;
  /** What lanes change, and what would not fit beside each other or the project as it is now. Errors: VALIDATION_ERROR, those of git. */
  files(
    home: string,
    picks: readonly LanePick[],
  ): Promise<Result<readonly { readonly lane: string; readonly files: readonly LaneFile[] }[]>>;
  /** Errors: VALIDATION_ERROR, CONFLICT (it holds what the project does not, and `discard` was not said), those of git. */
  close(home: string, name: string, discard: boolean): Promise<Result<{ readonly commits: number }>>;
  /** Errors: DIRECTORY_NOT_FOUND, NOT_A_DIRECTORY. */
  homeOf(folder: string): Result<string>;
  /** The projects of the sessions of its open lanes. */
  foldersOf(home: string): readonly string[];
  /** The last commits of a closed lane go. Errors: VALIDATION_ERROR (open yet), those of git. */
  letGo(home: string, name: string): Promise<Result<void>>;
}

export function createLanes(deps: LanesDeps): Lanes {
  const { records, sessions, clock } = deps;
  const { held, rest, putAllRight } = createLaneCare(deps);
  const homeFolder = (folder: string): Result<string> => {
    const real = realFolder(folder);
    return real.ok ? ok(homeOf(records, real.value)) : real;
  };

  return {
    async plan(folder, name) {
      const real = realFolder(folder);
      const planned = real.ok ? await planLane(deps, real.value, name) : real;
      return planned.ok ? ok(planned.value.plan) : planned;
    },
    async create(wish) {
      const home = homeFolder(wish.home);
      if (!home.ok) return home;
      await putAllRight(home.value);
      const planned = await planLane(deps, home.value, wish.name);
      if (!planned.ok) return planned;
      const { name } = planned.value.plan;
      return held(records.treeOf(home.value, name), async () => {
        const made = await makeLane(deps, { ...wish, home: home.value, name }, isoTime(clock));
        if (!made.ok) {
          const known = records.find(home.value, name);
          // What there is of it stands in its record, which goes last.
          if (known?.state === 'making') await removeLane(deps, known);
          return made;
        }
        const { record, left, notes } = made.value;
        const { mode, provider, model, title = '', subagentOf } = wish;
        const lane = { name, home: home.value, branch: record.branch };
        const start = { project: record.folder, title, mode, provider, model, lane, subagentOf };
        const session = sessions.create(start);
        if (!session.ok) {
          await removeLane(deps, record);
          return session;
        }
        const { id } = session.value.session;
        const open = { ...record, state: 'open', session: id } as const;
        records.write(open);
        return ok({ lane: open, session: id, left, notes });
      });
    },
    async list(folder) {
      const home = homeFolder(folder);
      if (!home.ok) return home;
      const told = await putAllRight(home.value);
      const lanes = await Promise.all(records.list(home.value).map((record) => withCounts(deps, record)));
      return ok({ lanes, told });
    },
    async files(folder, picks) {
      const home = homeFolder(folder);
      if (!home.ok) return home;
      const wanted = await wantedLanes(deps, home.value, picks);
      if (!wanted.ok) return wanted;
      const composed = composePicks(wanted.value);
      if (!composed.ok) return composed;
      return ok(
        wanted.value.map(({ record, files }) => {
          const own = composed.value.conflicts.filter(({ lane }) => lane === record.name);
          return { lane: record.name, files: files.map((file) => describeFile(file, own)) };
        }),
      );
    },
    async close(folder, name, discard) {
      const home = homeFolder(folder);
      if (!home.ok) return home;
      await putAllRight(home.value);
      const record = findLane(records, home.value, name);
      if (!record.ok) return record;
      if (record.value.state !== 'open') return fail('VALIDATION_ERROR', `The lane ${name} is closed already.`);
      return held(record.value.tree, async () => {
        const files = discard ? ok([]) : await notHome(deps, record.value);
        if (!files.ok) return files;
        if (files.value.length > 0) return stillHas(name, files.value);
        const closing = { ...record.value, state: 'closing' } as const;
        records.write(closing);
        await rest(closing);
        const removed = await removeLane(deps, closing);
        if (!removed.ok) return removed;
        const counted =
          removed.value === 'closed' ? await withCounts(deps, { ...closing, state: 'closed' }) : undefined;
        return ok({ commits: counted?.commits ?? 0 });
      });
    },
    homeOf: homeFolder,
    foldersOf: (home) => records.list(home).map(({ folder }) => folder),
    async letGo(folder, name) {
      const home = homeFolder(folder);
      const record = home.ok ? findLane(records, home.value, name) : home;
      if (!record.ok) return record;
      if (record.value.state !== 'closed')
        return fail('VALIDATION_ERROR', `The lane ${name} is open. Close it first; its commits can be let go then.`);
      return letGo(deps, record.value);
    },
  };
}

/** Errors: VALIDATION_ERROR (no such lane), UNAVAILABLE (its folder is gone), those of git. */
export async function wantedLanes(deps: LaneDeps, home: string, picks: readonly LanePick[]) {
  const wanted: Parameters<typeof composePicks>[0][number][] = [];
  for (const { lane, files: picked } of picks) {
    const record = findLane(deps.records, home, lane);
    if (!record.ok) return record;
    if (record.value.state !== 'open' || !existsSync(record.value.tree))
      return fail('UNAVAILABLE', `The lane ${lane} has no files any more; its branch is ${record.value.branch}.`);
    const files = await filesOfLane(deps, record.value);
    if (!files.ok) return files;
    wanted.push({ record: record.value, files: files.value, ...(picked ? { picks: picked } : {}) });
  }
  return ok(wanted);
}

/** A lane with what it changes. What cannot be counted is shown as nothing. */
async function withCounts(deps: LanesDeps, record: LaneRecord): Promise<Lane> {
  const isGone = record.state === 'open' && !existsSync(record.folder);
  const home = await openRepositoryOf(deps, record.home);
  const commits = home.ok ? await ownCommits(home.value.repository, record.branch) : home;
  const lane = record.state === 'open' && !isGone ? await openRepositoryOf(deps, record.folder) : undefined;
  const counted = lane?.ok ? await countChanges(lane.value.repository, lane.value.project.look, record) : undefined;
  const { files, additions, deletions } = counted?.ok ? counted.value : { files: 0, additions: 0, deletions: 0 };
  const state = isGone ? 'gone' : record.state;
  return { ...record, state, files, additions, deletions, commits: commits.ok ? commits.value : 0 };
}
