import { execFileSync } from 'node:child_process';
import { devNull } from 'node:os';
import type { Environment } from '../../exec/childEnvironment.ts';
import { testFolder, writeFiles } from '../../workspace/testing/testFolder.ts';
import type { GitPort } from '../repository.ts';

export interface TestRepository {
  readonly root: string;
  readonly environment: Environment;
  /** Runs git in the repository and gives what it printed, without the last line end. */
  git(...args: readonly string[]): string;
  port(change?: Partial<{ trusted: boolean; protectedBranches: readonly string[]; environment: Environment }>): GitPort;
}

/** The identity of the tests; nothing of the machine's configuration counts. */
export const testEnvironment: Environment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
};

/** For tests: a real repository in a temporary folder, on the branch `trunk`, with one commit when there are files. */
export function testRepository(files: Readonly<Record<string, string | Uint8Array>> = {}): TestRepository {
  const root = testFolder(files);
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: root, env: testEnvironment, encoding: 'utf8' }).trimEnd();
  git('init', '--quiet', '--initial-branch=trunk');
  if (Object.keys(files).length > 0) {
    git('add', '--all');
    git('commit', '--quiet', '--message=first');
  }
  return {
    root,
    environment: testEnvironment,
    git,
    port: ({ trusted = true, protectedBranches = [], environment = testEnvironment } = {}) => ({
      environment: () => environment,
      secrets: () => [],
      trusted: () => Promise.resolve(trusted),
      protectedBranches: () => protectedBranches,
    }),
  };
}

/** A repository whose branch `topic` changed the file `a` as its trunk did too: merging the one into the other conflicts. */
export function partedRepository(files: Readonly<Record<string, string>> = { a: '1\n' }): TestRepository {
  const repository = testRepository(files);
  for (const branch of ['topic', 'trunk']) {
    repository.git('switch', '--quiet', ...(branch === 'topic' ? ['--create'] : []), branch);
    writeFiles(repository.root, { a: `${branch}\n` });
    repository.git('commit', '--quiet', '--all', `--message=${branch}`);
  }
  return repository;
}
