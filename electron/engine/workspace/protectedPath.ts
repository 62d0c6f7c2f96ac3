/**
 * Places whose content is executed, or trusted, by something other than the person's own command: writes there are always
 * asked (P12). Names are judged as the most lenient file system would read them: without case, trailing dots and spaces,
 * stream suffixes, and the characters that HFS+ ignores (the list git uses for `.git`, see is_hfs_dotgit in utf8.c).
 */
export function protectedPath(relative: string): string | undefined {
  const names = relative
    .split(/[\\/]/)
    .map(foldLeniently)
    .filter((name) => name !== '' && name !== '.');
  const last = names.at(-1) ?? '';
  for (const name of names) {
    const reason = folders.get(name);
    if (reason) return reason;
  }
  for (const [index, name] of names.entries()) {
    const below = names[index + 1];
    const pairs = nested.get(name);
    const reason = below === undefined ? undefined : pairs?.get(below);
    if (reason) return reason;
  }
  return files.get(last) ?? suffixes.find(({ suffix }) => last.endsWith(suffix))?.reason;
}

const ignoredByHfs = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

function foldLeniently(name: string): string {
  const plain = name.normalize('NFKC').replace(ignoredByHfs, '').toLowerCase();
  // A stream suffix (`.git::$INDEX_ALLOCATION`) names the same folder on NTFS; `GIT~1` is the 8.3 alias of `.git`.
  const bare = plain.replace(/:.*$/, '').replace(/[. ]+$/, '');
  return shortNames.get(bare) ?? (bare === '' ? plain : bare);
}

const shortNames: ReadonlyMap<string, string> = new Map([
  ['git~1', '.git'],
  ['vise~1', '.vise'],
  ['cli-br~1', '.cli-bridge'],
]);

const git = 'Git runs hooks and commands from here';
const state = 'Vise keeps its own settings here';
const specs = 'Tools that Vise may run are declared here';
const hooks = 'Git hooks are run from here';
const editor = 'Editors run tasks from here';
const ci = 'Continuous integration runs what stands here';
const shell = 'Shells run this file when they start';
const servers = 'Programs that start with the project are declared here';

const keys = 'Keys lie here, and who may log in';

const folders: ReadonlyMap<string, string> = new Map([
  ['.ssh', keys],
  ['.gnupg', keys],
  ['.git', git],
  ['.vise', state],
  ['.cli-bridge', specs],
  ['.husky', hooks],
  ['.githooks', hooks],
  ['.idea', editor],
  ['.devcontainer', editor],
  ['.circleci', ci],
  ['.buildkite', ci],
  ['.teamcity', ci],
  ['.woodpecker', ci],
]);

const nested: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  [
    '.vscode',
    new Map([
      ['tasks.json', editor],
      ['launch.json', editor],
      ['settings.json', editor],
      ['mcp.json', servers],
    ]),
  ],
  [
    '.zed',
    new Map([
      ['tasks.json', editor],
      ['debug.json', editor],
      ['settings.json', editor],
    ]),
  ],
  ['.fleet', new Map([['run.json', editor]])],
  ['.cursor', new Map([['mcp.json', servers]])],
  [
    '.github',
    new Map([
      ['workflows', ci],
      ['actions', ci],
    ]),
  ],
  ['.gitea', new Map([['workflows', ci]])],
  ['.forgejo', new Map([['workflows', ci]])],
  [
    'fish',
    new Map([
      ['config.fish', shell],
      ['conf.d', shell],
    ]),
  ],
]);

const files: ReadonlyMap<string, string> = new Map([
  ...[
    '.bashrc',
    '.bash_profile',
    '.bash_login',
    '.bash_logout',
    '.bash_aliases',
    '.profile',
    '.zshrc',
    '.zshenv',
    '.zprofile',
    '.zlogin',
    '.zlogout',
    '.kshrc',
    '.mkshrc',
    '.cshrc',
    '.tcshrc',
    '.login',
    '.logout',
    '.inputrc',
    '.envrc',
    '.xprofile',
    '.xinitrc',
    '.xsession',
    'config.fish',
  ].map((name) => [name, shell] as const),
  ...['.vimrc', '.gvimrc', '.exrc', '.nvimrc', '.nvim.lua', '.dir-locals.el', '.emacs'].map(
    (name) => [name, editor] as const,
  ),
  ...['.gitmodules', '.gitattributes', '.gitconfig'].map((name) => [name, git] as const),
  ...['.pre-commit-config.yaml', 'lefthook.yml', '.lefthook.yml', 'lefthook.yaml'].map(
    (name) => [name, hooks] as const,
  ),
  ...[
    '.gitlab-ci.yml',
    '.travis.yml',
    '.drone.yml',
    '.woodpecker.yml',
    '.cirrus.yml',
    '.appveyor.yml',
    'appveyor.yml',
    'jenkinsfile',
    'azure-pipelines.yml',
    'bitbucket-pipelines.yml',
    'cloudbuild.yaml',
    'buildspec.yml',
  ].map((name) => [name, ci] as const),
  ['.mcp.json', servers],
]);

const suffixes: readonly { readonly suffix: string; readonly reason: string }[] = [
  { suffix: '.code-workspace', reason: editor },
  { suffix: '.sublime-project', reason: editor },
];
