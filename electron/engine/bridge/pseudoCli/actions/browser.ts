import { fail, ok } from '../../../../../shared/result.ts';
import { type Action, type ActionPorts, params } from '../action.ts';
import { calls, callTool, fields, listOf, textOf } from './callTool.ts';

const browser = (action: string, about: string, flags: string, run: Action['run']): Action => ({
  module: 'browser',
  action,
  about,
  params: params(flags),
  run,
});

const directions: readonly string[] = ['up', 'down', 'left', 'right'];
const maxScroll = 100_000;

/** `--element` is the name or label of the field, or a selector. */
async function typeInto(ports: ActionPorts, element: string, text: string) {
  const clicked = await callTool(ports, 'browser_click', { selector: `field=${element}` });
  return clicked.ok ? callTool(ports, 'browser_type', { text }) : clicked;
}

export const browserActions: readonly Action[] = [
  browser('navigate', 'Open an address.', 'url*', calls('browser_navigate')),
  browser('screenshot', 'A picture of the page.', '', calls('browser_screenshot')),
  browser(
    'click',
    'Click an element by its name, its text, or a selector.',
    'element*',
    calls('browser_click', ({ element }) => ({ selector: `element=${String(element)}` })),
  ),
  browser('type', 'Type into the field of this name, label or selector.', 'element* text*', (given, ports) =>
    typeInto(ports, textOf(given, 'element'), textOf(given, 'text')),
  ),
  browser('content', 'The page as a tree of its visible parts.', '', calls('browser_read_page')),
  browser('scroll', 'Scroll the page: up, down, left or right.', 'direction* pixels*:number', async (given, ports) => {
    const pixels = Number(given['pixels']);
    const direction = textOf(given, 'direction').toLowerCase();
    if (!directions.includes(direction))
      return fail('VALIDATION_ERROR', `--direction must be one of ${directions.join(', ')}`);
    if (!(pixels >= 0 && pixels <= maxScroll))
      return fail('VALIDATION_ERROR', `--pixels must be a number from 0 to ${maxScroll}`);
    return callTool(ports, 'browser_scroll', { direction, pixels });
  }),
  browser('html', 'The page as HTML.', '', calls('browser_html')),
  browser('markdown', 'The page as Markdown.', '', calls('browser_markdown')),
  browser('close', 'Close the active tab.', '', calls('browser_close')),
  browser('url', 'The address of the active tab.', '', async (_, ports) => {
    const listed = await callTool(ports, 'browser_get_tabs', {});
    if (!listed.ok) return listed;
    const active = listOf(fields(listed.value)['tabs'])
      .map(fields)
      .find(({ active: is }) => is === true);
    return ok(active === undefined ? '' : String(active['url']));
  }),
  browser(
    'enter',
    'Press Enter.',
    '',
    calls('browser_type', () => ({ text: '\n' })),
  ),
  browser(
    'search',
    'Type a query into the field of this name, label or selector and press Enter.',
    'element* query*',
    (given, ports) => typeInto(ports, textOf(given, 'element'), `${textOf(given, 'query')}\n`),
  ),
];
