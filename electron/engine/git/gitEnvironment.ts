import { devNull } from 'node:os';
import { pathOutside } from '../base/pathOutside.ts';
import { childEnvironment, type Environment } from '../exec/childEnvironment.ts';

/** Variables of git that say who commits and where the person's own configuration is; all others would redirect git and are taken out. */
const keptNames = new Set([
  'GIT_AUTHOR_NAME',
  'GIT_AUTHOR_EMAIL',
  'GIT_AUTHOR_DATE',
  'GIT_COMMITTER_NAME',
  'GIT_COMMITTER_EMAIL',
  'GIT_COMMITTER_DATE',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
]);

/**
 * What git is started with: no secrets, no redirection, nobody to ask, no editor, no pager, messages in English, and itself and its
 * helpers from outside the project.
 */
export function gitEnvironment(
  parent: Environment,
  secrets: readonly string[],
  project: string,
): Record<string, string> {
  const plain = Object.fromEntries(
    Object.entries(parent).filter(([name]) => !name.startsWith('GIT_') || keptNames.has(name)),
  );
  const made = childEnvironment(plain, {
    extraPaths: [],
    workspace: '',
    home: '',
    allow: [],
    secrets,
    additions: {
      GIT_TERMINAL_PROMPT: '0',
      GCM_INTERACTIVE: 'never',
      GIT_ASKPASS: '',
      SSH_ASKPASS: '',
      GIT_PAGER: 'cat',
      GIT_EDITOR: 'true',
      GIT_SEQUENCE_EDITOR: 'true',
      GIT_MERGE_AUTOEDIT: 'no',
      GIT_LITERAL_PATHSPECS: '1',
      LC_ALL: 'C.UTF-8',
      LANGUAGE: 'C',
    },
  });
  const path = Object.keys(made).find((name) => name.toUpperCase() === 'PATH');
  return path === undefined ? made : { ...made, [path]: pathOutside(made[path] ?? '', project) };
}

/** Settings for every start: nothing that a repository could use to run a program of its own unasked, and plain output. */
export const standingSettings: readonly string[] = [
  'core.fsmonitor=false',
  'core.quotePath=false',
  'color.ui=false',
  'safe.bareRepository=explicit',
  'protocol.ext.allow=never',
  // Inside a submodule the submodule's own configuration would name the programs.
  'diff.submodule=short',
  'diff.suppressBlankEmpty=false',
  // Messages go in and come out as UTF-8.
  'i18n.commitEncoding=UTF-8',
  'i18n.logOutputEncoding=UTF-8',
];

/** More for a folder that is not trusted: its hooks never run, nothing goes into its submodules, nothing is packed in passing. */
export const untrustedSettings: readonly string[] = [
  `core.hooksPath=${devNull}`,
  'submodule.recurse=false',
  'gc.auto=0',
  'maintenance.auto=false',
];

/**
 * A repository may say that what it lacks is to be fetched, and name the program that fetches. Git tools need no other
 * repository, so in a folder that is not trusted no protocol is allowed, whatever its configuration says.
 */
export const untrustedEnvironment: Readonly<Record<string, string>> = {
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
};
