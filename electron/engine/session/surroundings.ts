import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { branchNamedIn, gitFolderAround, inProgressLine, operationInProgress } from '../git/inProgress.ts';

/** Files that tell what a project is, the surest first, and the tool that its commands go by. */
const kinds: readonly (readonly [file: string, kind: string])[] = [
  ['pnpm-lock.yaml', 'Node (pnpm)'],
  ['yarn.lock', 'Node (yarn)'],
  ['bun.lock', 'Node (bun)'],
  ['package.json', 'Node (npm)'],
  ['Cargo.toml', 'Rust (cargo)'],
  ['go.mod', 'Go'],
  ['pyproject.toml', 'Python'],
  ['requirements.txt', 'Python'],
  ['pom.xml', 'Java (maven)'],
  ['build.gradle', 'Java (gradle)'],
  ['build.gradle.kts', 'Java (gradle)'],
  ['Gemfile', 'Ruby'],
  ['composer.json', 'PHP'],
  ['CMakeLists.txt', 'CMake'],
  ['Makefile', 'make'],
];

const systems: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' };

/**
 * Where the agent works, in one line: system, shell, date, kind of project, state of git. Looks at a few names of the folder and
 * starts nothing, since each request asks; what differs from one request to the next would spoil the provider's cache.
 */
export function surroundings(project: string, shell: string, now: Date): string {
  const { platform, arch } = process;
  const found = kinds.filter(([file]) => existsSync(join(project, file))).map(([, kind]) => kind);
  const languages = [...new Set(found.map((kind) => kind.split(' ')[0]))];
  const kind = [...found.slice(0, 1), ...languages.slice(1)].join(', ') || 'no known kind';
  const run = shell === '' ? (platform === 'win32' ? 'cmd.exe' : '/bin/sh') : shell;
  return `${systems[platform] ?? platform} ${arch}, commands run in ${run}. Today: ${now.toISOString().slice(0, 10)}. Project: ${kind}. ${gitState(project)}`;
}

function gitState(project: string): string {
  const found = gitFolderAround(project);
  if (!found || !existsSync(join(found.gitFolder, 'HEAD'))) return 'No git repository.';
  const branch = branchNamedIn(join(found.gitFolder, 'HEAD'));
  const doing = operationInProgress(found.gitFolder);
  return `Git: ${[
    branch === undefined ? 'no branch (detached)' : `branch ${branch}`,
    ...(doing === undefined ? [] : [inProgressLine(doing)]),
    ...(found.up === 0 ? [] : [`the repository begins at ${Array(found.up).fill('..').join('/')}`]),
  ].join(', ')}.`;
}
