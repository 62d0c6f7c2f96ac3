import type { Action, Param } from './action.ts';
import type { Registry } from './registry.ts';

/** What a module is for, in a few words. */
const modulePurpose: Readonly<Record<string, string>> = {
  agent: 'agents that work on tasks',
  browser: 'drive the browser',
  cache: 'remember values between calls',
  chat: 'talk to the user',
  fs: 'files and folders of the project',
  git: 'version control',
  kv: 'small values by instance, namespace and key',
  mcp: 'tools of MCP servers',
  project: 'the project as a whole',
  search: 'find things in the code',
  task: 'tasks of the project',
  terminal: 'commands and what runs in the background',
  thread: 'sessions of the project',
  todo: 'a list of things to do',
};

export function overallHelp({ modules }: Registry): string {
  const lines = [...modules].map(([name, actions]) => {
    const purpose = modulePurpose[name] ?? [...actions.keys()].slice(0, 4).join(', ');
    return `${name} - ${actions.size} ${actions.size === 1 ? 'action' : 'actions'} - ${purpose}`;
  });
  return [
    'codebolt <module> <action> --param value',
    ...lines,
    'More: codebolt help <module>, codebolt <module> <action> --help',
  ].join('\n');
}

export function moduleHelp(actions: ReadonlyMap<string, Action>): string {
  return [...actions.values()].map((action) => `${usage(action)}\n    ${action.about}`).join('\n');
}

export function actionHelp(action: Action): string {
  const rows = action.params.map(({ flag, type, required }) => `  ${flag} <${type}>${required ? ' (required)' : ''}`);
  return [usage(action), `    ${action.about}`, ...rows].join('\n');
}

export function usage({ module, action, params }: Action): string {
  return ['codebolt', module, action, ...params.map(usageOf)].join(' ');
}

function usageOf({ flag, type, required }: Param): string {
  if (type === 'boolean') return required ? `${flag} <boolean>` : `[${flag} | --no-${flag.slice(2)}]`;
  return required ? `${flag} <${type}>` : `[${flag} <${type}>]`;
}
