import { expect, test } from 'vitest';
import { protectedPath } from './protectedPath.ts';

const asked = [
  '.git/config',
  '.ssh/authorized_keys',
  '/home/u/.ssh/config',
  '.git/hooks/pre-commit',
  'sub/.git/config',
  '.git',
  '.GIT/config',
  '.Git/x',
  '.git./config',
  '.git /config',
  '.git::$INDEX_ALLOCATION/config',
  'GIT~1/config',
  '.g\u200cit/config',
  '.ｇit/config',
  '.vise/rules.json',
  '.cli-bridge/specs/x.json',
  '.bashrc',
  'home/.zshrc',
  '.profile',
  '.envrc',
  '.config/fish/config.fish',
  '.vscode/tasks.json',
  'pkg/.vscode/launch.json',
  '.VSCode/Tasks.json',
  '.vscode/settings.json',
  '.idea/workspace.xml',
  'x.code-workspace',
  '.github/workflows/ci.yml',
  '.github/actions/a/action.yml',
  '.gitlab-ci.yml',
  'Jenkinsfile',
  '.circleci/config.yml',
  'azure-pipelines.yml',
  '.husky/pre-commit',
  '.pre-commit-config.yaml',
  '.gitmodules',
  '.mcp.json',
  '.git\\config',
  './.git/config',
];
const ordinary = [
  'src/a.ts',
  '.gitignore',
  'git/config',
  'src/.gitkeep',
  'vise/x',
  '.github/README.md',
  '.github/ISSUE_TEMPLATE.md',
  'workflows/ci.yml',
  '.vscode/notes.md',
  'bashrc',
  'docs/.git.md',
  'a.git/config',
  'profile',
  'Jenkinsfile.md',
  'fish/readme',
  '.',
  '',
];

test.each(asked)('P12 a write to %j is always asked', (path) => {
  expect(protectedPath(path)).toEqual(expect.any(String));
});

test.each(ordinary)('%j is an ordinary path', (path) => {
  expect(protectedPath(path)).toBeUndefined();
});
