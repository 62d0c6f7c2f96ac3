import { editFile } from './file/editFile.ts';
import { listDirectory } from './file/listDirectory.ts';
import { readFile } from './file/readFile.ts';
import { writeFile } from './file/writeFile.ts';
import { reportTools } from './phase/reports.ts';
import { grepSearch } from './search/grepSearch.ts';
import { createBackgroundTools } from './shell/backgroundTasks.ts';
import { createCliBasedTool, createStartBackgroundTask } from './shell/cliBasedTool.ts';
import type { TaskPort } from './shell/taskPort.ts';
import { askUser } from './system/askUser.ts';
import { createRun } from './system/run.ts';
import type { Tool } from './tool.ts';

/** What the tools need beside a look and hands. Each part starts at its first use. */
export interface ToolParts {
  readonly tasks: TaskPort;
}

/**
 * Every built-in tool, in the order in which they are described to a model: what is needed most comes first, since a
 * request describes only so many of them.
 */
export function toolsOf({ tasks }: ToolParts): readonly Tool[] {
  return [
    readFile,
    listDirectory,
    grepSearch,
    editFile,
    writeFile,
    createRun(tasks),
    ...reportTools,
    askUser,
    createCliBasedTool(tasks),
    createStartBackgroundTask(tasks),
    ...createBackgroundTools(tasks),
  ];
}
