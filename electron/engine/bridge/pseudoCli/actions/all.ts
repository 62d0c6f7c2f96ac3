import type { Tool } from '../../../tools/frame/tool.ts';
import type { Action } from '../action.ts';
import { agentActions } from './agent.ts';
import { browserActions } from './browser.ts';
import { chatActions } from './chat.ts';
import { fsActions } from './fs.ts';
import { gitActions } from './git.ts';
import { kvActions } from './kv.ts';
import { mcpActions } from './mcp.ts';
import { projectActions } from './project.ts';
import { searchActions } from './search.ts';
import { taskActions } from './task.ts';
import { terminalActions } from './terminal.ts';
import { threadActions } from './thread.ts';
import { todoActions } from './todo.ts';
import { toolActions } from './toolActions.ts';

/** The named actions first (they keep their names), then one for each tool of the toolset. */
export function allActions(tools: readonly Tool[]): readonly Action[] {
  return [
    ...agentActions,
    ...browserActions,
    ...chatActions,
    ...fsActions,
    ...gitActions,
    ...kvActions,
    ...mcpActions(tools),
    ...projectActions,
    ...searchActions,
    ...taskActions,
    ...terminalActions,
    ...threadActions,
    ...todoActions,
    ...toolActions(tools),
  ];
}
