import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { guardProject } from './guardedPlaces.ts';
import { hidePlaces } from './hiddenPlaces.ts';
import { behindRelay } from './networkRelay.ts';
import { seatbeltProfile } from './seatbeltProfile.ts';

export interface SandboxPolicy {
  /** The one folder that may be written, when `writable`. */
  readonly project: string;
  readonly cwd: string;
  readonly writable: boolean;
  /** Whether commands reach everything, nothing, or what the filter behind this socket lets through. */
  readonly network: boolean | { readonly filter: string };
  /** Folders that are not to be seen inside: Vise's own, and the sockets of its hosts. */
  readonly hidden?: readonly string[];
  /** The person's home folder; keys below it are hidden. */
  readonly home?: string;
  /** Places below the home folder that hold keys and may be read all the same. */
  readonly readable?: readonly string[];
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
  const project = realFolder(policy.project);
  if (project === undefined)
    return fail('UNAVAILABLE', `The project folder ${policy.project} cannot be reached; the command was not run.`);
  const program = findBubblewrap(project);
  if (program === undefined) {
    return fail(
      'UNAVAILABLE',
      'The sandbox needs bubblewrap (bwrap); install it or switch the sandbox off. The command was not run.',
    );
  }
  if (policy.writable && isOfAnotherUser(project)) {
    return fail(
      'UNAVAILABLE',
      'The sandbox cannot write the folder of another user, not even for root. Run Vise as the owner of the project folder, or switch the sandbox off. The command was not run.',
    );
  }
  const guard = policy.writable ? guardProject(project) : { args: [], cleanUp: '' };
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
  home = homedir(),
  readable = [],
}: Omit<SandboxPolicy, 'cwd'>): readonly string[] {
  const args = ['--die-with-parent', '--new-session', '--unshare-pid', '--unshare-ipc', '--unshare-uts'];
  // Without them root keeps its capabilities and could mount anew; a namespace of its own would give them back (C13).
  args.push('--unshare-user', '--disable-userns', '--cap-drop', 'ALL');
  if (network !== true) args.push('--unshare-net');
  // Temporary and runtime folders of its own: the sockets of other programs are there. A project below is bound again.
  args.push('--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', '--tmpfs', '/run');
  if (existsSync('/run/systemd/resolve')) args.push('--ro-bind', '/run/systemd/resolve', '/run/systemd/resolve');
  const keptSockets = typeof network === 'boolean' ? [] : [network.filter];
  const hide = hidePlaces({ project, home, folders: hidden, readable, keptSockets });
  args.push(...hide.before);
  // What the relay needs, wherever it lies: Vise itself may be installed in a temporary folder.
  if (typeof network !== 'boolean') args.push('--ro-bind', process.execPath, process.execPath);
  args.push(writable ? '--bind' : '--ro-bind', project, project, ...hide.after);
  if (typeof network !== 'boolean') args.push('--ro-bind', network.filter, network.filter);
  return args;
}

/** By absolute path, and never one that the project brings (C12). */
function findBubblewrap(project: string): string | undefined {
  for (const folder of ['/usr/bin', '/bin', ...(process.env['PATH'] ?? '').split(delimiter)]) {
    if (!isAbsolute(folder) || (project !== '/' && `${realFolder(folder)}/`.startsWith(`${project}/`))) continue;
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

/** Inside, only this user's files keep their owner. */
const isOfAnotherUser = (project: string): boolean => statSync(project).uid !== process.getuid?.();

function realFolder(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? realpathSync(path) : undefined;
  } catch {
    return undefined;
  }
}
