import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter } from 'node:path';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { findBubblewrap, realFolder } from './findBubblewrap.ts';
import { guardProject } from './guardedPlaces.ts';
import { hidePlaces, secretsOf } from './hiddenPlaces.ts';
import { besideRelay } from './networkRelay.ts';
import { findObeyed } from './obeyedPlaces.ts';
import { pathTools } from './pathTools.ts';
import { seatbeltProfile } from './seatbeltProfile.ts';
import { type Shadow, shadowMounts } from './shadow.ts';
import { withSocketFilter } from './socketFilter.ts';

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
  /** The person's PATH: its folders below `/tmp` are seen inside, read-only. */
  readonly path?: string | undefined;
  /** Whether it may make Unix sockets, and so reach those of this machine that it sees. */
  readonly sockets?: boolean;
  /** In the project's place: what is written is written there, and the project itself is out of reach. */
  readonly shadow?: Shadow;
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
  const { network, shadow } = policy;
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
    const unseen = [...secretsOf(policy.home ?? homedir(), policy.readable ?? []), ...(policy.hidden ?? [])];
    const project = realFolder(shadow?.tree ?? policy.project) ?? policy.project;
    const obeyed = findObeyed(project, policy.home ?? homedir());
    const profile = seatbeltProfile({
      ...policy,
      project,
      network,
      obeyed: [...obeyed.places.map(({ path }) => path), ...obeyed.links, ...obeyed.unwanted],
      unseen,
    });
    return ok({ file: program, args: ['-p', profile, file, ...args] });
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
  if (policy.writable && isOfAnotherUser(shadow?.tree ?? project)) {
    return fail(
      'UNAVAILABLE',
      'The sandbox cannot write the folder of another user, not even for root. Run Vise as the owner of the project folder, or switch the sandbox off. The command was not run.',
    );
  }
  const filtered = policy.sockets ? 'exec "$@"' : withSocketFilter();
  if (filtered === undefined) {
    return fail(
      'UNAVAILABLE',
      'The sandbox cannot keep commands from sockets of this machine on this processor; sandbox.sockets allows them. The command was not run.',
    );
  }
  const guard = shadow
    ? { args: shadowMounts(project, shadow), cleanUp: '' }
    : policy.writable
      ? guardProject(project, policy.home ?? homedir())
      : { args: [], cleanUp: '' };
  const filter = policy.sockets ? [] : ['--seccomp', '9'];
  const inner = [...bubblewrapArguments({ ...policy, project }), ...guard.args, ...filter];
  const all = [...inner, '--chdir', policy.cwd, '--', file, ...args];
  const boxed = typeof network === 'boolean' ? [program, ...all] : besideRelay(program, all, network.filter);
  // The traps make the shell outlive a stop of the command, so that it can clean up behind it; with programs of the system,
  // whatever PATH the command has.
  const script =
    guard.cleanUp === ''
      ? filtered
      : `trap : TERM INT HUP; (${filtered}); code=$?; PATH=${cleanUpPath}; ${guard.cleanUp}; exit $code`;
  return ok({ file: '/bin/sh', args: ['-c', script, 'sh', ...boxed] });
}

/** Where `rm` and `rmdir` are, NixOS last. */
const cleanUpPath = '/usr/bin:/bin:/run/current-system/sw/bin';

/** The arguments of `bwrap` but for what guards git, the working folder and the command. `project` must be a real path. */
function bubblewrapArguments({
  project,
  writable,
  network,
  hidden = [],
  home = homedir(),
  readable = [],
  path = '',
  sockets = false,
  shadow,
}: Omit<SandboxPolicy, 'cwd'>): readonly string[] {
  const args = ['--die-with-parent', '--new-session', '--unshare-pid', '--unshare-ipc', '--unshare-uts'];
  // Without them root keeps its capabilities and could mount anew; a namespace of its own would give them back (C13).
  args.push('--unshare-user', '--disable-userns', '--cap-drop', 'ALL');
  if (network === false) args.push('--unshare-net'); // with a list of hosts it has one already, which it shares with the relay
  // Temporary and runtime folders of its own: the sockets of other programs are there. A project below is bound again.
  args.push('--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', '--tmpfs', '/run');
  if (existsSync('/run/systemd/resolve')) args.push('--ro-bind', '/run/systemd/resolve', '/run/systemd/resolve');
  const tools = pathTools([path, ...(shadow?.programs ?? [])].join(delimiter), project);
  args.push(...tools.flatMap((folder) => ['--ro-bind', folder, folder]));
  const hide = hidePlaces({ project, tools, home, folders: hidden, readable, sockets });
  return [...args, ...hide.before, writable ? '--bind' : '--ro-bind', shadow?.tree ?? project, project, ...hide.after];
}

/** Inside, only this user's files keep their owner. */
const isOfAnotherUser = (project: string): boolean => statSync(project).uid !== process.getuid?.();
