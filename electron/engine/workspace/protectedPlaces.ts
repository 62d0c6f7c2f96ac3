/** Names of places whose content something other than the person's own command obeys, why, and who says so. */
export interface ProtectedRow {
  /** Blank-separated: `name/` is a folder anywhere, `a/b` a name in a folder of that name, `*.x` an ending, the rest files. */
  readonly places: string;
  readonly reason: string;
  readonly source: string;
}

const shell = 'Shells run this file when they start';
const editor = 'Editors run tasks from here';
const agent = 'Agents take settings, hooks and servers from here';
const ci = 'Continuous integration runs what stands here';
const tools = 'It names programs, scripts or registries that a tool runs or trusts';
const login = 'It is started at login or by the clock';
const keys = 'Keys lie here, and who may log in';

/** Writes to these are always asked (P12). Read by `protectedPath`; printed in docs/protected-places.md. */
export const protectedRows: readonly ProtectedRow[] = [
  { places: '.git/', reason: 'Git runs hooks and commands from here', source: 'git: gitrepository-layout, githooks' },
  {
    places: '.gitmodules .gitattributes .gitconfig .config/git',
    reason: 'Git runs hooks and commands from here',
    source: 'git: gitmodules, gitattributes (filter, diff, merge), git-config FILES',
  },
  { places: '.vise/', reason: 'Vise keeps its own settings here', source: 'docs/settings.md' },
  { places: '.cli-bridge/', reason: 'Tools that Vise may run are declared here', source: 'docs/bridges.md' },
  {
    places:
      '.husky/ .githooks/ .pre-commit-config.yaml lefthook.yml .lefthook.yml lefthook.yaml .lintstagedrc ' +
      '.lintstagedrc.json .simple-git-hooks.json .overcommit.yml',
    reason: 'Git hooks are run from here',
    source: 'husky, pre-commit, lefthook, lint-staged, simple-git-hooks, overcommit: their manuals',
  },
  {
    places:
      '.claude/ .claude.json .codex/ .gemini/ .opencode/ opencode.json opencode.jsonc .windsurf/ .continue/ .roo/ ' +
      '.kiro/ .qwen/ .amazonq/ .cursor/mcp.json .cursor/hooks.json .cursor/cli.json .aider.conf.yml .goosehints',
    reason: agent,
    source:
      'Claude Code settings and hooks, Codex config.toml, Gemini CLI settings.json, OpenCode, Windsurf, Continue, Roo, ' +
      'Kiro, Qwen Code, Amazon Q, Cursor, aider, goose: their manuals',
  },
  {
    places: '.mcp.json .vscode/mcp.json',
    reason: 'Programs that start with the project are declared here',
    source: 'modelcontextprotocol.io, VS Code MCP servers',
  },
  {
    places: '.vscode/tasks.json .vscode/launch.json .vscode/settings.json *.code-workspace',
    reason: editor,
    source: 'VS Code: tasks, debugging, settings, multi-root workspaces',
  },
  {
    places: '.idea/ .run/ .fleet/run.json .zed/tasks.json .zed/debug.json .zed/settings.json *.sublime-project .nova/',
    reason: editor,
    source: 'JetBrains run configurations, Zed tasks, Sublime build systems, Nova tasks',
  },
  {
    places: '.vimrc .gvimrc .exrc .nvimrc .nvim.lua .dir-locals.el .emacs .emacs.d/ nvim/init.lua nvim/init.vim',
    reason: editor,
    source: 'vim :help exrc, Emacs directory variables',
  },
  {
    places: '.devcontainer/ .devcontainer.json',
    reason: editor,
    source: 'containers.dev: initializeCommand runs on the host',
  },
  {
    places: '.gdbinit .lldbinit .gdb_history .pdbrc',
    reason: 'Debuggers run this file when they start',
    source: 'gdb auto-load, lldb, pdb',
  },
  {
    places:
      '.github/workflows .github/actions .gitea/workflows .forgejo/workflows .circleci/ .buildkite/ .teamcity/ ' +
      '.woodpecker/ .semaphore/ .gitlab-ci.yml .travis.yml .drone.yml .woodpecker.yml .cirrus.yml .appveyor.yml appveyor.yml ' +
      'jenkinsfile azure-pipelines.yml bitbucket-pipelines.yml cloudbuild.yaml buildspec.yml',
    reason: ci,
    source: 'the manuals of each service',
  },
  {
    places: '.npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnp.cjs bunfig.toml .bunfig.toml .yarn/releases .yarn/plugins',
    reason: tools,
    source: 'npm config (script-shell, node-options), yarn yarnPath and plugins, pnpm hooks, bunfig preload',
  },
  {
    places: '.cargo/config .cargo/config.toml rust-toolchain rust-toolchain.toml',
    reason: tools,
    source: 'Cargo configuration (runner, rustc-wrapper, linker), rustup overrides (path)',
  },
  {
    places: '.pypirc pip.conf pip.ini .condarc sitecustomize.py usercustomize.py',
    reason: tools,
    source: 'pip configuration, Python site',
  },
  {
    places:
      '.mvn/ .gradle/init.gradle .gradle/init.d .m2/settings.xml mise.toml .mise.toml .sdkmanrc .curlrc .wgetrc .netrc ' +
      '.terraformrc .dockerconfigjson .docker/config.json .kube/config .bundle/config .gemrc .irbrc .pryrc .rprofile',
    reason: tools,
    source:
      'Maven jvm.config and extensions, Gradle init scripts, mise, curl, wget, docker credential helpers, kubectl exec, ' +
      'bundler, irb, R: their manuals',
  },
  {
    places: '.bazelrc .buckconfig .rspec gradle/wrapper .local/bin',
    reason: tools,
    source: 'Bazel and Buck configuration, rspec (--require), the Gradle wrapper, programs that PATH finds first',
  },
  {
    places:
      '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout ' +
      '.kshrc .mkshrc .cshrc .tcshrc .login .logout .inputrc .envrc .direnvrc .xprofile .xinitrc .xsession .xsessionrc ' +
      '.pam_environment .tmux.conf .screenrc config.fish fish/config.fish fish/conf.d fish/functions nushell/config.nu ' +
      'nushell/env.nu powershell/profile.ps1 windowspowershell/profile.ps1 microsoft.powershell_profile.ps1',
    reason: shell,
    source: 'bash, zsh, ksh, tcsh, fish, nushell, PowerShell about_Profiles, direnv, tmux: start-up files',
  },
  {
    places:
      'library/launchagents library/launchdaemons .config/autostart ' +
      '.config/systemd systemd/user .config/environment.d programs/startup etc/cron.d etc/cron.daily etc/cron.hourly etc/crontab ' +
      'spool/cron .crontab etc/profile etc/profile.d etc/sudoers etc/sudoers.d etc/pam.d etc/ld.so.preload etc/init.d etc/rc.local ' +
      'etc/systemd',
    reason: login,
    source: 'launchd.plist, XDG autostart, systemd.unit, cron, sudo, PAM, ld.so, Windows startup folder',
  },
  {
    places: '.ssh/ .gnupg/ .aws/ .azure/ .config/gcloud .password-store/',
    reason: keys,
    source: 'ssh_config, GnuPG, cloud command lines',
  },
];
