import { fail } from '../../../../../shared/result.ts';
import { type Action, params } from '../action.ts';
import { calls, callTool, fields, runProgram, textOf } from './callTool.ts';

/** A value that begins with `-` would be an option to git. */
function refuseOption(flag: string, value: string) {
  return fail('VALIDATION_ERROR', `${flag} must not begin with "-": ${value}`);
}

const git = (action: string, about: string, flags: string, run: Action['run']): Action => ({
  module: 'git',
  action,
  about,
  params: params(flags),
  run,
});

export const gitActions: readonly Action[] = [
  git('init', 'Make a new repository in a folder.', 'path*', (given, ports) =>
    runProgram(ports, 'git', ['init', '--', textOf(given, 'path')], 'GIT_ERROR'),
  ),
  git('status', 'Branch and changed files.', '', calls('git_status')),
  git('add', 'Stage everything.', '', calls('git_stage')),
  git('commit', 'Commit what is staged.', 'message*', calls('git_commit')),
  git('push', 'Push the branch to its remote.', '', (_, ports) => runProgram(ports, 'git', ['push'], 'GIT_ERROR')),
  git('pull', 'Fetch and merge from the remote.', '', (_, ports) => runProgram(ports, 'git', ['pull'], 'GIT_ERROR')),
  git(
    'checkout',
    'Switch to a branch.',
    'branch*',
    calls('git_branch', ({ branch }) => ({ action: 'switch', name: branch })),
  ),
  git(
    'branch',
    'Make a branch.',
    'branch*',
    calls('git_branch', ({ branch }) => ({ action: 'create', name: branch })),
  ),
  git('logs', 'Commits of the repository or of one file.', 'path*', async (given, ports) => {
    const path = textOf(given, 'path');
    const info = await callTool(ports, 'get_file_info', { filePath: path });
    const isFolder = info.ok && fields(info.value)['type'] === 'directory';
    return callTool(ports, 'git_log', isFolder ? { repoPath: path } : { file: path });
  }),
  git('diff', 'Changes between a commit and the working tree.', 'commit*', async (given, ports) => {
    const commit = textOf(given, 'commit');
    if (commit.startsWith('-')) return refuseOption('--commit', commit);
    return runProgram(ports, 'git', ['--no-pager', 'diff', '--no-ext-diff', commit, '--'], 'GIT_ERROR');
  }),
  git('clone', 'Clone a repository.', 'url* path', async (given, ports) => {
    const [url, path] = [textOf(given, 'url'), textOf(given, 'path')];
    // `ext::` and other remote helpers run a program that the address names.
    if (/^[a-z0-9+.-]*::/i.test(url)) return fail('VALIDATION_ERROR', '--url must not use a remote helper');
    return runProgram(ports, 'git', ['clone', '--', url, ...(path === '' ? [] : [path])], 'GIT_ERROR');
  }),
];
