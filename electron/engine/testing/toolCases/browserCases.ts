import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import type { ErrorCode } from '../../../../shared/errorCode.ts';
import type { ToolResult } from '../../../../shared/result.ts';
import { createBrowser } from '../../browser/createBrowser.ts';
import { findBrowser } from '../../browser/findBrowser.ts';
import { hostRules } from '../../browser/testing/allowedHosts.ts';
import { createBrowserTools } from '../../tools/browser/browserTools.ts';
import { createSandbox } from '../../workspace/sandbox.ts';
import { testBench } from '../engineForTest.ts';
import { assertFitsOutput } from '../fitsOutput.ts';
import { tryIn } from '../tryTool.ts';
import type { Input } from './toolCase.ts';
import { toolIn } from './toolCase.ts';

interface Step {
  readonly tool: string;
  readonly shows: string;
  readonly input: Input;
  readonly code?: ErrorCode;
}

const environment = { PATH: process.env['PATH'], VISE_CHROMIUM: process.env['VISE_CHROMIUM'] };
const page = `<!doctype html><title>Page</title><button id="b">Press</button><input id="i"><input id="fixed" readonly>
<button id="hidden" style="display:none">Hidden</button>`;
const pageUrl = (project: string): string => pathToFileURL(join(project, 'page.html')).href;

const onPage: Readonly<Record<string, Input>> = {
  browser_navigate: { url: 'about:blank' },
  browser_read_page: {},
  browser_screenshot: {},
  browser_click: { selector: '#b' },
  browser_type: { text: 'x' },
  browser_find: { query: 'press' },
};

/** In this order, over one browser; `PAGE` stands for the address of the page. */
const steps: readonly Step[] = [
  { tool: 'browser_status', shows: 'before the first page', input: {} },
  { tool: 'browser_navigate', shows: 'a page', input: { url: 'PAGE' } },
  { tool: 'browser_type', shows: 'nothing with the focus', input: { text: 'x' }, code: 'NO_FOCUSED_ELEMENT' },
  ...Object.entries(onPage)
    .filter(([tool]) => tool !== 'browser_navigate' && tool !== 'browser_type')
    .map(([tool, input]): Step => ({ tool, shows: 'the page', input })),
  { tool: 'browser_get_tabs', shows: 'the tabs', input: {} },
  { tool: 'browser_click', shows: 'an input field', input: { selector: '#i' } },
  { tool: 'browser_type', shows: 'an input field', input: { text: 'x' } },
  { tool: 'browser_click', shows: 'a field that is fixed', input: { selector: '#fixed' } },
  { tool: 'browser_type', shows: 'a field that is fixed', input: { text: 'x' }, code: 'NOT_EDITABLE' },
  ...['browser_click', 'browser_screenshot'].flatMap((tool): readonly Step[] => [
    { tool, shows: 'an element that is not there', input: { selector: '#none' }, code: 'ELEMENT_NOT_FOUND' },
    { tool, shows: 'an element that is hidden', input: { selector: '#hidden' }, code: 'ELEMENT_NOT_VISIBLE' },
  ]),
  { tool: 'browser_navigate', shows: 'what is no web address', input: { url: 'ftp://x' }, code: 'INVALID_URL' },
  {
    tool: 'browser_navigate',
    shows: 'where nobody listens',
    input: { url: 'http://127.0.0.1:1/' },
    code: 'NAVIGATION_FAILED',
  },
  ...Object.entries(onPage).map(
    ([tool, input]): Step => ({
      tool,
      shows: 'a tab that is not there',
      input: { ...input, tabId: 99 },
      code: 'TAB_NOT_FOUND',
    }),
  ),
];

const without = Object.entries({ ...onPage, browser_get_tabs: {} }).map(
  ([tool, input]): Step => ({ tool, shows: 'a machine without a browser', input, code: 'UNAVAILABLE' }),
);
const inNoTime = Object.entries(onPage).map(
  ([tool, input]): Step => ({ tool, shows: 'a browser that does not answer', input, code: 'TIMEOUT' }),
);

const nameOf = ({ tool, shows }: Step): string => `${tool}: ${shows}`;
const cases = [...steps, ...without, ...inNoTime];

export const browserCases = {
  cases,
  expected: Object.fromEntries(cases.map((step) => [nameOf(step), step.code ?? 'ok'])),
  reason:
    findBrowser(environment).kind === 'program'
      ? ''
      : ' (skipped: no Chrome, Chromium or Edge in PATH, and VISE_CHROMIUM names none)',
};

/** What each case is answered with. */
export async function browserResults(): Promise<Readonly<Record<string, string>>> {
  const results: Record<string, string> = {};
  const note = (step: Step, result: ToolResult): void => {
    results[nameOf(step)] = result.success ? 'ok' : result.error.code;
  };
  const callIn = (bench: ReturnType<typeof testBench>, { tool, input }: Step) =>
    bench.engine.callTool(bench.project, tool, withAddress(input, bench.project), new AbortController().signal, {
      ask: () => Promise.resolve('allow'),
    });
  const bench = testBench({ 'page.html': page }, { env: environment, interactive: false });
  for (const step of steps) {
    const result = await callIn(bench, step);
    assertFitsOutput(await toolIn(bench, step.tool), result);
    note(step, result);
  }
  const bare = testBench({}, { env: { PATH: '/nowhere', VISE_CHROMIUM: '/no/chrome' }, interactive: false });
  for (const step of without) note(step, await callIn(bare, step));
  const sandbox = await createSandbox({ roots: [bench.project] });
  if (!sandbox.ok) throw new Error(sandbox.error.message);
  const folder = join(bench.home, 'hasty');
  const hasty = createBrowser({
    environment: () => environment,
    secrets: () => [],
    folder,
    sandbox: sandbox.value,
    hosts: hostRules(),
    limitMs: 1,
  });
  onTestFinished(() => hasty.dispose());
  const trial = await tryIn(bench.project);
  for (const step of inNoTime) {
    const tool = createBrowserTools(hasty).find(({ name }) => name === step.tool);
    if (tool) note(step, await trial.tool(tool, step.input));
  }
  // Its start goes on; the end of an engine does not wait for it, the end of this test does.
  await hasty.status();
  return results;
}

function withAddress(input: Input, project: string): Input {
  return input['url'] === 'PAGE' ? { ...input, url: pageUrl(project) } : input;
}
