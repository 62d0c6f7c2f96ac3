import { homedir } from 'node:os';
import type { Settings } from '../../../shared/model/settings.ts';
import { childEnvironment, type Environment } from './childEnvironment.ts';
import { taskMark } from './processes/processTree.ts';

/** Without these, programs that see a terminal would wait in a pager, or not know how to write to it. */
const terminalAdditions = { TERM: 'xterm-256color', PAGER: 'cat', GIT_PAGER: 'cat' } as const;

export interface EnvironmentSources {
  readonly parent: Environment;
  readonly settings: Settings['shell'];
  readonly workspace: string;
  /** Values that must not reach a command: the keys of the configured providers. */
  readonly secrets: readonly string[];
}

/** The environment of an agent's command; `id` undefined while it is only planned. */
export function commandEnvironment(
  parts: EnvironmentSources,
  id: string | undefined,
  additions: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return compose(parts, { ...terminalAdditions, ...additions, ...(id === undefined ? {} : { [taskMark]: id }) });
}

/** The environment of a person's own shell: their pager is theirs, secrets stay out all the same. */
export function shellEnvironment(parts: EnvironmentSources, id: string): Record<string, string> {
  return compose(parts, { TERM: terminalAdditions.TERM, COLORTERM: 'truecolor', [taskMark]: id });
}

function compose(parts: EnvironmentSources, additions: Readonly<Record<string, string>>): Record<string, string> {
  const { extraPaths, passVariables } = parts.settings;
  return childEnvironment(parts.parent, {
    extraPaths: typeof extraPaths === 'string' ? [extraPaths] : extraPaths,
    workspace: parts.workspace,
    home: homedir(),
    allow: passVariables,
    secrets: parts.secrets,
    additions,
  });
}
