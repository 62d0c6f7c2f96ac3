import { describe, expect, test } from 'vitest';
import { createSymbolReader } from '../project/symbols/symbolReader.ts';
import { createListSymbols } from './build/listSymbols.ts';
import { projectMap } from './build/projectMap.ts';
import { editFile } from './file/editFile.ts';
import { getFileInfo } from './file/getFileInfo.ts';
import { listDirectory } from './file/listDirectory.ts';
import { readFile } from './file/readFile.ts';
import { searchFiles } from './file/searchFiles.ts';
import { writeFile } from './file/writeFile.ts';
import { applyUnifiedDiff } from './patch/applyUnifiedDiff.ts';
import { assessPatchRisk } from './patch/assessPatchRisk.ts';
import { deleteRange } from './patch/deleteRange.ts';
import { editRange } from './patch/editRange.ts';
import { insertAt } from './patch/insertAt.ts';
import { createFindReferences } from './search/findReferences.ts';
import { createFindSymbol } from './search/findSymbol.ts';
import { grepSearch } from './search/grepSearch.ts';
import { searchCodebase } from './search/searchCodebase.ts';
import { toolReference } from './testing/toolReference.ts';

/** Its thread would start with the first question; here nobody asks. */
const symbols = createSymbolReader();

const tools = [
  readFile,
  writeFile,
  editFile,
  searchFiles,
  listDirectory,
  getFileInfo,
  grepSearch,
  createFindSymbol({ symbols }),
  searchCodebase,
  createFindReferences({ symbols }),
  projectMap,
  createListSymbols({ symbols }),
  applyUnifiedDiff,
  editRange,
  insertAt,
  deleteRange,
  assessPatchRisk,
];

describe('the tools of files, search and patches', () => {
  test('the reference has 48 tools in 8 categories', () => {
    expect(toolReference).toHaveLength(48);
    expect(new Set(toolReference.map(({ category }) => category)).size).toBe(8);
  });

  test.each(tools.map((tool) => [tool.name, tool] as const))('%s has the inputs of the reference', (name, tool) => {
    const { category, permission: level } = tool;
    expect({ name, category, level, schema: tool.inputSchema() }).toEqual(
      toolReference.find((reference) => reference.name === name),
    );
  });
});
