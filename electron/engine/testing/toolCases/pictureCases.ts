import { join } from 'node:path';
import { ok } from '../../../../shared/result.ts';
import type { Browser } from '../../browser/browser.ts';
import { createBrowserTools } from '../../tools/browser/browserTools.ts';
import { createContents } from '../../workspace/contents.ts';
import { tryIn } from '../tryTool.ts';
import { fullDisk, type ToolCase } from './toolCase.ts';

/** A PNG as far as its size is read: its header. */
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ', 'base64');
const browser = {
  screenshot: () => Promise.resolve(ok({ tabId: 1, png })),
  tabs: () => Promise.resolve(ok([])),
} as Partial<Browser> as Browser; // nothing else of it is used

function keptIn(contents: Parameters<typeof createContents>[0], shows: string, code: ToolCase['code']): ToolCase {
  const [tool] = createBrowserTools(browser).filter(({ name }) => name === 'browser_screenshot');
  if (!tool) throw new Error('there is no tool for pictures');
  return {
    tool: tool.name,
    shows: `pictures ${shows}`,
    input: {},
    code,
    async call({ project, home }) {
      const folder = join(code === 'FILE_WRITE_ERROR' ? join(project, 'a.txt') : home, contents.folder);
      if (code === 'DISK_FULL') fullDisk(folder);
      return (await tryIn(project, createContents({ ...contents, folder }))).tool(tool, {});
    },
    files: { 'a.txt': 'a file' },
  };
}

/** What keeping a picture can end with, whoever drives the browser. */
export const pictureCases: readonly ToolCase[] = [
  keptIn({ folder: 'below' }, 'below what is a file', 'FILE_WRITE_ERROR'),
  keptIn({ folder: 'small', maxBytes: 10 }, 'in a store without room', 'LIMIT_EXCEEDED'),
  { ...keptIn({ folder: 'full' }, 'on a disk without room (N2)', 'DISK_FULL'), needs: 'mount' },
];
