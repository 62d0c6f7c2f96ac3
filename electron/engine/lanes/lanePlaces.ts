import { join } from 'node:path';
import type { LaneRecord } from '../../../shared/model/lane.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { openRepository, type Repository } from '../git/repository.ts';
import type { OpenedProject } from '../openProject/openedProject.ts';
import type { LaneRecords } from './laneRecords.ts';

/** A project as far as lanes go. */
export type LaneProject = Pick<OpenedProject, 'path' | 'git' | 'sandbox' | 'look' | 'settings'>;

export interface LaneDeps {
  readonly records: LaneRecords;
  readonly open: (path: string) => Promise<Result<LaneProject>>;
}

/** The project that a folder belongs to: of a lane its home. */
export function homeOf(records: LaneRecords, folder: string): string {
  return records.ofFolder(folder)?.home ?? folder;
}

export function noSuchLane(name: string): Result<never> {
  return fail('VALIDATION_ERROR', `There is no lane "${name}" of this project. "vise lane list" shows them.`);
}

/** Errors: VALIDATION_ERROR. */
export function findLane(records: LaneRecords, home: string, name: string): Result<LaneRecord> {
  const found = records.find(home, name);
  return found ? ok(found) : noSuchLane(name);
}

export interface OpenedRepository {
  readonly project: LaneProject;
  readonly repository: Repository;
}

/** Errors: those of opening the folder and its repository. */
export async function openRepositoryOf(deps: LaneDeps, folder: string): Promise<Result<OpenedRepository>> {
  const project = await deps.open(folder);
  if (!project.ok) return project;
  const repository = await openRepository(project.value.git, project.value.sandbox, '.');
  return repository.ok ? ok({ project: project.value, repository: repository.value }) : repository;
}

/** The ref that keeps what was carried into a lane, so that git does not collect it. */
export function baseRef(name: string): string {
  return `refs/vise/lanes/${name}`;
}

export function branchOf(name: string): string {
  return `vise/${name}`;
}

/** A path of a project on disk, with the separators of the system. */
export function onDisk(folder: string, path: string): string {
  return join(folder, ...path.split('/'));
}
