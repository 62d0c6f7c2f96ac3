import { tableOf } from './madePage.ts';

/** What the page tells of a tool. */
export interface ListedTool {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly category: string;
  readonly permission: string;
  readonly about: string;
  readonly errors?: readonly string[];
}

const code = (text: string): string => `\`${text}\``;

/** The first sentence of what the model is told of a tool. */
function sentenceOf(about: string): string {
  const line = about.replaceAll(/\s+/g, ' ').trim();
  return /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
}

/** The tables of docs/tools.md: what any call can be answered with, then the tools, a table a category. */
export function toolTable(tools: readonly ListedTool[], frameErrors: readonly string[]): string {
  const categories = [...new Set(tools.map(({ category }) => category))];
  const sections = categories.map((category) => {
    const rows = tools
      .filter((tool) => tool.category === category)
      .map(({ name, aliases = [], permission, about, errors = [] }) => [
        [name, ...aliases].map(code).join('<br>'),
        permission,
        sentenceOf(about),
        errors.map(code).join(' ') || 'none',
      ]);
    return `## ${category}\n\n${tableOf(['tool', 'level', 'does', 'errors of its own'], rows)}`;
  });
  const anyCall = `Any call can be answered with ${frameErrors.map(code).join(', ')}.`;
  return [anyCall, ...sections].join('\n\n');
}
