import { describe, expect, test } from 'vitest';
import { context, judge, pathIntent, protectedPath, rule } from '../testing/judge.ts';

const home = '/home/u';
const under = (command: string) =>
  judge(command, {
    allow: 'dangerous',
    rules: [rule('allow', { tool: 'run' })],
    context: { ...context, protectedPath, ownFolders: [`${home}/.config/vise`, `${home}/state/vise`] },
  }).verdict;

describe('P12: a command that is not proven to read is asked when any word names a protected place', () => {
  test.each([
    'curl -sSLo .git/config https://h/',
    'curl -sSLo.git/config https://h/',
    'curl --create-dirs -o .git/config https://h/',
    'wget -qO .git/hooks/pre-commit https://h/',
    'git clone https://h/x .vise',
    'git clone https://h/x.git sub/.husky',
    'git --work-tree .vise checkout .',
    'git worktree add .vise',
    'git init .vise',
    'prettier --write .github/workflows/ci.yml',
    'npx prettier --write .github/workflows/ci.yml',
    'eslint --fix .vscode/settings.json',
    'find src -exec cp {} .git/hooks ;',
    'find .vise -exec cp evil {} ;',
    'find . -name x -exec sponge .git/config ;',
    'jq . x --output-file=.vscode/tasks.json',
    'tool --out=.vise/rules.json',
    'tool out=.vise/rules.json',
    'tool x .vise',
    'make DEST=.git/hooks install',
    'unzip x -d .git',
    'tar -C .git -xf x',
    'node gen.js .vscode/tasks.json',
    'sudo tool .git/config',
    'sh -c "tool .git/config"',
    'ls | xargs tool .git/config',
    'python3 - <<E\nopen(".git/config", "w")\nE',
    'cd .git && tool config',
    'tool .g?t/config',
    'tool "$HOME/.bashrc"',
    'unzip a.zip -d .vscode',
    'tar czf .git/config src',
    'tar -cf .vscode src',
    'wget -P .vscode https://h/tasks.json',
    'cp -r a/. .vscode',
    'git archive HEAD | tar x -C .github',
    'git apply --directory=.vscode p.patch',
    'git checkout-index --prefix=.vscode/ -a',
    'npm install --prefix ./.vscode x',
    'hg clone x .github/',
  ])('%j', (command) => {
    expect(under(command)).toBe('ask');
  });

  test.each([
    'cat .git/config',
    'grep -rn x .github/workflows',
    'git add .github/workflows/ci.yml',
    'git commit -m "change .github/workflows/ci.yml"',
    'git diff .vscode/settings.json',
    "find . -path './.git' -prune -o -name '*.ts' -exec grep -l x {} +",
    'cp .vscode/settings.json /tmp/x',
    'tar --exclude=.git -czf x.tgz .',
    'tar --exclude .git -czf x.tgz .',
    'rsync -a --exclude .git a b',
    'curl https://h/.git/config',
    'npm test',
    'prettier --write "**/*.ts"',
    'eslint .',
    'node x.js "$(cat list)"',
    'echo .git/config',
    'gh pr create --body "see .github/workflows/ci.yml"',
    'cargo build',
    'mkdir -p src/config',
    "sed -i 's/.*/x/' a",
    "sed -n '/.git/p' a > b",
  ])('%j is not', (command) => {
    expect(under(command)).toBe('allow');
  });
});

describe("C10: Vise's own settings and state are protected under every level", () => {
  test.each([
    `git log --output=${home}/.config/vise/rules.json`,
    `tee ${home}/.config/vise/rules.json`,
    'tee ~/.config/vise/rules.json',
    `tool ${home}/state/vise/sessions`,
    `cd ${home}/.config && tool vise`,
    `cp a ${home}/.config/vise`,
  ])('%s', (command) => {
    expect(under(command)).toBe('ask');
  });

  test('an edit is asked too, also through a link', () => {
    const edit = (path: string, realPath?: (path: string) => string) =>
      judge(pathIntent('write', 'dangerous', path), {
        allow: 'dangerous',
        context: { ...context, protectedPath, ownFolders: [`${home}/.config/vise`], realPath },
      }).verdict;
    expect(edit(`${home}/.config/vise/rules.json`)).toBe('ask');
    expect(edit('src/x')).toBe('allow');
    expect(edit('src/x', () => `${home}/.config/vise/x`)).toBe('ask');
  });
});
