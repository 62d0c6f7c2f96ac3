import type { Log } from '../base/log.ts';
import type { SubagentLanes } from '../openSession/subagents.ts';
import type { Lanes } from './lanes.ts';

/** Lanes in which subagents edit: made one after the other, so that each takes a name of its own. */
export function createSubagentLanes(lanes: () => Lanes, log: Log): SubagentLanes {
  let last: Promise<unknown> = Promise.resolve();
  return {
    create({ project, ...wish }) {
      const made = last.then(() => lanes().create({ ...wish, home: project }));
      last = made.catch(() => undefined); // whoever asked hears of it
      return made;
    },
    async settle({ state }) {
      if (!state.lane) return undefined;
      const { home, name } = state.lane;
      const listed = await lanes().list(home);
      const lane = listed.ok ? listed.value.lanes.find((one) => one.name === name) : undefined;
      if (!lane) return undefined;
      const { files, additions, deletions, commits } = lane;
      if (files + commits > 0) return { name, files, additions, deletions };
      const closed = await lanes().close(home, name, false);
      if (!closed.ok) log.warn(`the lane ${name} of a subagent, which changed nothing, stays open`, closed.error);
      return closed.ok ? undefined : { name, files, additions, deletions };
    },
  };
}
