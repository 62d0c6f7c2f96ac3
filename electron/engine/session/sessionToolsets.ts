import type { SessionState } from '../../../shared/model/sessionState.ts';
import type { Tool } from '../tools/frame/tool.ts';
import { createToolset, type Toolset } from '../tools/frame/toolset.ts';
import { protocolTools } from '../tools/phase/protocolTools.ts';
import { reportTools } from '../tools/phase/reports.ts';
import { createSessionTools } from './sessionTools.ts';

/** The tools of one conversation: the project's and its own, and the same in the names and forms of the text protocol. */
export interface SessionToolsets {
  readonly native: Toolset;
  readonly text: Toolset;
}

/** Described first to a model in text mode, after the tools of its protocol and the reports. */
const alsoInText: ReadonlySet<string> = new Set(['run', 'ask_user']);

/** What lets agents work in other sessions: a subagent has none of it, so that none starts another. */
function isStarter({ name, category }: Tool): boolean {
  return category === 'agent' || name === 'thread_create' || name === 'thread_start';
}

/** `described` collects what the model asked to have described. */
export function createSessionToolsets(
  project: Toolset,
  state: () => SessionState,
  described: Set<string>,
): SessionToolsets {
  const own = createSessionTools({
    toolset: () => native,
    state,
    describe: (names) => {
      for (const name of names) described.add(name);
    },
  });
  /** What the project finds by name although it stands in no list. */
  const orUnlisted = (tools: Toolset): Toolset => ({
    tools: tools.tools,
    nearest: tools.nearest,
    find(name) {
      const found = tools.find(name) ?? project.find(name);
      return found && isStarter(found) && state().subagentOf ? undefined : found;
    },
  });
  const offered = project.tools.filter((tool) => !isStarter(tool) || state().subagentOf === undefined);
  const native: Toolset = orUnlisted(createToolset([...offered, ...own]));
  const text = orUnlisted(
    createToolset([
      ...protocolTools,
      ...reportTools,
      ...offered.filter(({ name }) => alsoInText.has(name)),
      ...own,
      ...offered,
    ]),
  );
  return { native, text };
}
