import { execFileSync } from 'node:child_process';
import { testEnvironment } from '../git/testing/testRepository.ts';
import type { EnginePorts } from '../ports.ts';
import { type TestBench, testBench } from './engineForTest.ts';

export interface LaneBench extends TestBench {
  /** Runs git in the project and gives what it printed, without the last line end. */
  git(...args: readonly string[]): string;
  gitIn(folder: string, ...args: readonly string[]): string;
}

/** An engine on a project with a repository of one commit, on the branch `trunk`. */
export function laneBench(
  files: Readonly<Record<string, string | Uint8Array>>,
  ports: Partial<EnginePorts> = {},
): LaneBench {
  const bench = testBench(files, ports);
  const gitIn = (cwd: string, ...args: readonly string[]): string =>
    execFileSync('git', args, { cwd, env: testEnvironment, encoding: 'utf8' }).trimEnd();
  const git = (...args: readonly string[]): string => gitIn(bench.project, ...args);
  git('init', '--quiet', '--initial-branch=trunk');
  git('add', '--all');
  git('commit', '--quiet', '--message=first');
  return Object.assign(bench, { git, gitIn });
}

/** The value of an answer that went well. */
export function valueOf<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown },
): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}
