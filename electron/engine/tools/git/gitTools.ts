import type { GitPort } from '../../git/repository.ts';
import type { Tool } from '../frame/tool.ts';
import { createGitBranch } from './gitBranch.ts';
import { createGitCommit } from './gitCommit.ts';
import { createGitDiff } from './gitDiff.ts';
import { createGitLog } from './gitLog.ts';
import { createGitMerge } from './gitMerge.ts';
import { createGitStage, createGitUnstage } from './gitStage.ts';
import { createGitStatus } from './gitStatus.ts';
import { createIsProtectedBranch } from './isProtectedBranch.ts';

/** The nine tools over git, in the order of the tool reference. */
export function createGitTools(port: GitPort): readonly Tool[] {
  return [
    createGitStatus(port),
    createGitCommit(port),
    createGitDiff(port),
    createGitLog(port),
    createGitStage(port),
    createGitUnstage(port),
    createGitBranch(port),
    createIsProtectedBranch(port),
    createGitMerge(port),
  ];
}
