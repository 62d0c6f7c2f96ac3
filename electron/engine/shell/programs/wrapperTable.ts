/** How to find the program that a wrapper runs. Options that are not listed are taken as flags without a value. */
export interface WrapperForm {
  /** Options that take the next word as their value (`-u root`); glued values (`-uroot`) need no entry. */
  readonly valued?: readonly string[];
  /** Words between the options and the program (`timeout 60 …`). */
  readonly skip?: number;
  /** `NAME=value` words may stand before the program. */
  readonly assigns?: boolean;
  /** Options whose value is a whole shell script. */
  readonly script?: readonly string[];
  /** The rest is joined and given to a shell. */
  readonly joined?: boolean;
  /** A first word (after the options) that must stand there, else it is no wrapper. */
  readonly verbs?: readonly string[];
}

const docker: WrapperForm = {
  verbs: ['exec'],
  skip: 1,
  valued: ['-e', '--env', '--env-file', '-u', '--user', '-w', '--workdir', '--detach-keys', '-f', '--file', '-p'],
};
const plain: WrapperForm = {};

/** Programs that run another program (C2), by the options of their manuals (GNU, BSD, sudo 1.9, util-linux, npm 11). */
export const wrappers: ReadonlyMap<string, WrapperForm> = new Map<string, WrapperForm>([
  [
    'sudo',
    {
      assigns: true,
      valued: [
        ...['-u', '--user', '-g', '--group', '-p', '--prompt', '-C', '--close-from', '-h', '--host', '-r', '--role'],
        ...['-t', '--type', '-T', '--command-timeout', '-D', '--chdir', '-R', '--chroot', '-U', '--other-user'],
        ...['-c', '--login-class', '-a', '--auth-type'],
      ],
    },
  ],
  ['doas', { valued: ['-u', '-C', '-a'] }],
  ['pkexec', { valued: ['--user'] }],
  ['env', { assigns: true, valued: ['-u', '--unset', '-C', '--chdir', '-P'], script: ['-S', '--split-string'] }],
  ['timeout', { skip: 1, valued: ['-k', '--kill-after', '-s', '--signal'] }],
  ['gtimeout', { skip: 1, valued: ['-k', '--kill-after', '-s', '--signal'] }],
  ['nice', { valued: ['-n', '--adjustment'] }],
  ['ionice', { valued: ['-c', '--class', '-n', '--classdata'] }],
  ['chrt', { skip: 1 }],
  ['taskset', { skip: 1 }],
  ['nohup', plain],
  ['setsid', plain],
  ['stdbuf', { valued: ['-i', '--input', '-o', '--output', '-e', '--error'] }],
  ['time', { assigns: true, valued: ['-f', '--format', '-o', '--output'] }],
  ['command', plain],
  ['builtin', plain],
  ['exec', { valued: ['-a'] }],
  ['caffeinate', { valued: ['-t', '-w'] }],
  ['watch', { joined: true, valued: ['-n', '--interval', '-q', '--equexit', '-s', '--shotsdir'] }],
  [
    'xargs',
    {
      valued: [
        ...[
          '-I',
          '-n',
          '--max-args',
          '-P',
          '--max-procs',
          '-L',
          '--max-lines',
          '-d',
          '--delimiter',
          '-a',
          '--arg-file',
        ],
        ...['-E', '-s', '--max-chars', '-R', '-S', '-J'],
      ],
    },
  ],
  ['parallel', { joined: true, valued: ['-j', '--jobs', '-a', '--arg-file', '-I', '-n', '-N', '-S'] }],
  ['npx', { valued: ['-p', '--package', '-w', '--workspace'], script: ['-c', '--call'] }],
  ['bunx', plain],
  ['uvx', { valued: ['--from', '--with', '-p', '--python'] }],
  ['npm', { verbs: ['exec', 'x'], valued: ['--package', '-w', '--workspace'], script: ['-c', '--call'] }],
  ['pnpm', { verbs: ['exec', 'dlx'], valued: ['-C', '--dir', '--filter', '-F'] }],
  ['yarn', { verbs: ['exec', 'dlx'], valued: ['-p', '--package', '--cwd'] }],
  ['bun', { verbs: ['x'] }],
  ['uv', { verbs: ['run'], valued: ['--with', '--from', '-p', '--python', '--project', '--directory', '--extra'] }],
  ['poetry', { verbs: ['run'] }],
  ['pipenv', { verbs: ['run'] }],
  ['pipx', { verbs: ['run'], valued: ['--spec', '--python'] }],
  ['bundle', { verbs: ['exec'] }],
  ['rustup', { verbs: ['run'], skip: 1 }],
  ['docker', docker],
  ['podman', docker],
  ['docker-compose', docker],
  ['kubectl', { verbs: ['exec'], skip: 1, valued: ['-c', '--container', '-n', '--namespace', '--context', '-f'] }],
  [
    'ssh',
    {
      joined: true,
      skip: 1,
      valued: 'BbcDEeFIiJLlmOopQRSWw'.split('').map((letter) => `-${letter}`),
    },
  ],
  ['su', { script: ['-c', '--command'], skip: 1, valued: ['-s', '--shell', '-g', '--group', '-G'] }],
  ['runuser', { script: ['-c', '--command'], valued: ['-u', '--user', '-s', '--shell', '-g', '-G'] }],
  ['script', { script: ['-c', '--command'], skip: 1, valued: ['-t', '-E', '-I', '-O', '-B', '-T', '-m', '-o'] }],
  ['flock', { skip: 1, script: ['-c', '--command'], valued: ['-w', '--timeout', '-E', '--conflict-exit-code'] }],
  ['chroot', { skip: 1, valued: ['--groups', '--userspec'] }],
  ['unshare', { valued: ['-R', '--root', '-w', '--wd', '-S', '-G', '--map-user', '--map-group'] }],
  ['nsenter', { valued: ['-t', '--target', '-S', '-G'] }],
  ['strace', { valued: ['-o', '-e', '-p', '-s', '-u', '-E', '-P', '-a', '-b', '-I', '-O', '-S', '-U', '-X'] }],
  ['ltrace', { valued: ['-o', '-e', '-p', '-s', '-u', '-a', '-n'] }],
  ['gdb', { verbs: ['--args'] }],
  ['busybox', plain],
  ['toybox', plain],
  ['trap', { script: [] }],
  ['eval', { joined: true }],
  ['xvfb-run', { valued: ['-e', '-f', '-n', '-p', '-s', '-w'] }],
  ['dbus-run-session', plain],
  ['systemd-run', { valued: ['-p', '--property', '-u', '--unit', '-M', '--machine', '-E', '--setenv'] }],
  ['bwrap', { valued: ['--chdir', '--dev', '--proc', '--tmpfs', '--dir', '--unsetenv', '--hostname'] }],
  ['winpty', plain],
]);

/** Shells of the POSIX family; what they are given with `-c` is read as a line of its own. */
export const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'mksh', 'ash', 'rbash']);

/** Shells with another grammar: what they are given is not understood. */
export const foreignShells: ReadonlySet<string> = new Set([
  ...['fish', 'csh', 'tcsh', 'nu', 'xonsh', 'elvish', 'pwsh', 'powershell', 'cmd'],
]);

/** `/usr/bin/rm` and `C:\x\RM.EXE` are `rm`; a backslash in front (`\rm`) is gone after quote removal. */
export function programName(word: string): string {
  const name = word.split(/[\\/]/).at(-1) ?? '';
  return name.replace(/\.(?:exe|cmd|bat|com)$/i, '').toLowerCase();
}
