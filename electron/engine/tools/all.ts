import type { Browser } from '../browser/browser.ts';
import type { Cache } from '../cache/cache.ts';
import type { GitPort } from '../git/repository.ts';
import type { PromptFiles } from '../project/prompts/promptFiles.ts';
import type { SymbolIndex } from '../project/symbols/symbolIndex.ts';
import { createSymbolReader, type SymbolReader } from '../project/symbols/symbolReader.ts';
import { createBrowserTools } from './browser/browserTools.ts';
import { createCacheTools } from './cache/cacheTools.ts';
import { editFile } from './file/editFile.ts';
import { getFileInfo } from './file/getFileInfo.ts';
import { listDirectory } from './file/listDirectory.ts';
import { readFile } from './file/readFile.ts';
import { searchFiles } from './file/searchFiles.ts';
import { writeFile } from './file/writeFile.ts';
import type { Tool } from './frame/tool.ts';
import { createGitTools } from './git/gitTools.ts';
import { applyUnifiedDiff } from './patch/applyUnifiedDiff.ts';
import { assessPatchRisk } from './patch/assessPatchRisk.ts';
import { deleteRange } from './patch/deleteRange.ts';
import { editRange } from './patch/editRange.ts';
import { insertAt } from './patch/insertAt.ts';
import { reportTools } from './phase/reports.ts';
import { createCheckPermission, type PermissionPort } from './project/checkPermission.ts';
import { createDetectProject } from './project/detectProject.ts';
import { createListSymbols } from './project/listSymbols.ts';
import { projectMap } from './project/projectMap.ts';
import { createRehearse, type RehearsalPort } from './project/rehearse.ts';
import { createRunnerTools } from './project/runnerTools.ts';
import { createUseSkill } from './project/useSkill.ts';
import { createFindReferences } from './search/findReferences.ts';
import { createFindSymbol } from './search/findSymbol.ts';
import { grepSearch } from './search/grepSearch.ts';
import { searchCodebase } from './search/searchCodebase.ts';
import { createBackgroundTools } from './shell/backgroundTasks.ts';
import { createCliBasedTool, createStartBackgroundTask } from './shell/cliBasedTool.ts';
import type { TaskPort } from './shell/taskPort.ts';
import { askUser } from './system/askUser.ts';
import { createRun } from './system/run.ts';
import { subagent } from './system/subagent.ts';
import { updateTodos } from './system/updateTodos.ts';

/** What the tools need beside a look and hands. Each part starts at its first use. */
export interface ToolParts {
  readonly tasks: TaskPort;
  readonly git: GitPort;
  readonly cache: Cache;
  readonly browser: Browser;
  readonly permission: PermissionPort;
  readonly prompts: PromptFiles;
  readonly rehearsal: RehearsalPort;
  /** Default: one whose thread starts with its first question, ends after some idle minutes and keeps no program alive. */
  readonly symbols?: SymbolReader;
  /** Of the project. Without one, symbols are found by searching. */
  readonly index?: SymbolIndex;
}

/**
 * Every built-in tool, in the order in which they are described to a model: what is needed most comes first, since a
 * request describes only so many of them.
 */
export function toolsOf({
  tasks,
  git,
  cache,
  browser,
  permission,
  prompts,
  rehearsal,
  symbols = createSymbolReader(),
  index,
}: ToolParts): readonly Tool[] {
  return [
    readFile,
    listDirectory,
    grepSearch,
    editFile,
    writeFile,
    createRun(tasks),
    ...reportTools,
    askUser,
    updateTodos,
    subagent,
    createCliBasedTool(tasks),
    createStartBackgroundTask(tasks),
    ...createBackgroundTools(tasks),
    searchFiles,
    applyUnifiedDiff,
    createFindSymbol({ symbols, index }),
    createFindReferences({ symbols, index }),
    createListSymbols({ symbols, index }),
    searchCodebase,
    projectMap,
    getFileInfo,
    editRange,
    insertAt,
    deleteRange,
    assessPatchRisk,
    createDetectProject(tasks),
    ...createRunnerTools(tasks),
    createRehearse(rehearsal, tasks),
    createCheckPermission(permission),
    ...createGitTools(git),
    ...createBrowserTools(browser),
    ...createCacheTools(cache),
    createUseSkill(prompts),
  ];
}
