import { accessSync, constants, existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { behindRelay } from './networkRelay.ts';
import { seatbeltProfile } from './seatbeltProfile.ts';

export interface SandboxPolicy {
  /** The one folder that may be written, when `writable`. */
  readonly project: string;
  readonly cwd: string;
  readonly writable: boolean;
  /** Whether commands reach everything, nothing, or what the filter behind this socket lets through. */
  readonly network: boolean | { readonly filter: string };
  /** Folders that are not to be seen inside: the sockets of our own hosts. */
  readonly hidden?: readonly string[];
}

export interface SandboxedStart {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * The same program inside the operating system's sandbox: project writable (or not), everything else read-only, no network.
 * Fails closed: UNAVAILABLE when the sandbox cannot be set up as asked, and then nothing runs.
 */
export function sandboxCommand(file: string, args: readonly string[], policy: SandboxPolicy): Result<SandboxedStart> {
  const { network } = policy;
  if (process.platform === 'darwin') {
    if (typeof network !== 'boolean') {
      return fail(
        'UNAVAILABLE',
        'The sandbox cannot limit the network to a list of hosts here. Switch the network off or on in the settings.',
      );
    }
    const program = '/usr/bin/sandbox-exec';
    if (!existsSync(program))
      return fail('UNAVAILABLE', 'The sandbox of this system (sandbox-exec) is missing; the command was not run.');
    return ok({ file: program, args: ['-p', seatbeltProfile({ ...policy, network }), file, ...args] });
  }
  if (process.platform !== 'linux')
    return fail('UNAVAILABLE', 'There is no sandbox for commands on this system; the command was not run.');
  const program = findBubblewrap();
  if (program === undefined) {
    return fail(
      'UNAVAILABLE',
      'The sandbox needs bubblewrap (bwrap); install it or switch the sandbox off. The command was not run.',
    );
  }
  const project = realFolder(policy.project);
  if (project === undefined)
    return fail('UNAVAILABLE', `The project folder ${policy.project} cannot be reached; the command was not run.`);
  const guard = policy.writable ? guardGit(project) : { args: [], cleanUp: '' };
  const start = typeof network === 'boolean' ? { file, args } : behindRelay(file, args, network.filter);
  const all = [
    ...bubblewrapArguments({ ...policy, project }),
    ...guard.args,
    '--chdir',
    policy.cwd,
    '--',
    start.file,
    ...start.args,
  ];
  if (guard.cleanUp === '') return ok({ file: program, args: all });
  // The traps make the shell outlive a stop of the command, so that it can clean up behind it.
  const script = `trap : TERM INT HUP; "$@"; code=$?; ${guard.cleanUp}; exit $code`;
  return ok({ file: '/bin/sh', args: ['-c', script, 'sh', program, ...all] });
}

/** The arguments of `bwrap` but for what guards git, the working folder and the command. `project` must be a real path. */
export function bubblewrapArguments({
  project,
  writable,
  network,
  hidden = [],
}: Omit<SandboxPolicy, 'cwd'>): readonly string[] {
  const args = ['--die-with-parent', '--new-session', '--unshare-pid', '--unshare-ipc', '--unshare-uts'];
  if (network !== true) args.push('--unshare-net');
  // Temporary and runtime folders of its own: the sockets of other programs are there. A project below is bound again.
  args.push('--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', '--tmpfs', '/run');
  if (existsSync('/run/systemd/resolve')) args.push('--ro-bind', '/run/systemd/resolve', '/run/systemd/resolve');
  for (const folder of hidden) if (existsSync(folder)) args.push('--tmpfs', folder);
  if (typeof network !== 'boolean') {
    // What the relay needs, wherever it lies: Vise itself may be installed in a temporary folder.
    for (const path of [network.filter, process.execPath]) args.push('--ro-bind', path, path);
  }
  args.push(writable ? '--bind' : '--ro-bind', project, project);
  return args;
}

/**
 * What git runs by itself stays as it is: `.git/hooks` and `.git/config` are read-only inside, also where they do not exist yet.
 * Covering what is missing makes an empty file or folder to cover; `cleanUp` is the shell text that takes it away again.
 */
export function guardGit(project: string): { readonly args: readonly string[]; readonly cleanUp: string } {
  const git = join(project, '.git');
  const stat = lstatSync(git, { throwIfNoEntry: false });
  if (stat === undefined) {
    return { args: ['--tmpfs', git, '--remount-ro', git], cleanUp: `rmdir ${quote(git)} 2>/dev/null` };
  }
  if (!stat.isDirectory()) return { args: ['--ro-bind', git, git], cleanUp: '' }; // a worktree's pointer, or a link
  const hooks = join(git, 'hooks');
  const config = join(git, 'config');
  // A mount of its own keeps `.git` from being renamed away and replaced.
  const args: string[] = ['--bind', git, git];
  const cleanUp: string[] = [];
  if (existsSync(hooks)) {
    args.push('--ro-bind', hooks, hooks);
  } else {
    args.push('--tmpfs', hooks, '--remount-ro', hooks);
    cleanUp.push(`rmdir ${quote(hooks)} 2>/dev/null`);
  }
  if (existsSync(config)) {
    args.push('--ro-bind', config, config);
  } else {
    args.push('--ro-bind', '/dev/null', config);
    cleanUp.push(`[ -s ${quote(config)} ] || rm -f ${quote(config)}`);
  }
  return { args, cleanUp: cleanUp.join('; ') };
}

function quote(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}

function findBubblewrap(): string | undefined {
  for (const folder of [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/bin']) {
    const file = join(folder, 'bwrap');
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // not here
    }
  }
  return undefined;
}

function realFolder(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? realpathSync(path) : undefined;
  } catch {
    return undefined;
  }
}
