import type { Settings } from '../../../shared/model/settings.ts';
import type { LaneRecords } from './laneRecords.ts';

/** What commands of a lane are told of it: ten ports of its own, of which servers commonly read the first as `PORT`. */
export function laneVariables(
  records: Pick<LaneRecords, 'ofFolder'>,
  project: string,
): Readonly<Record<string, string>> {
  const lane = records.ofFolder(project);
  if (!lane) return {};
  return { VISE_LANE: lane.name, PORT: `${lane.port}`, VISE_LANE_PORTS: `${lane.port}-${lane.port + 9}` };
}

/** The task workers of a project are shared evenly between it and its open lanes, at least one each. */
export function withShare(
  records: Pick<LaneRecords, 'ofFolder' | 'list'>,
  project: string,
  settings: Settings,
): Settings {
  const home = records.ofFolder(project)?.home ?? project;
  const lanes = records.list(home).filter(({ state }) => state === 'open').length;
  if (lanes === 0) return settings;
  const { backgroundMaxWorkers } = settings.shell;
  const share = Math.max(1, Math.floor(backgroundMaxWorkers / (lanes + 1)));
  return { ...settings, shell: { ...settings.shell, backgroundMaxWorkers: share } };
}
