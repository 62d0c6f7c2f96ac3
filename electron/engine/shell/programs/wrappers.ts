import type { Program, Wraps } from './program.ts';
import { wholeTree } from './sweeps.ts';

const rows: Readonly<Record<string, Wraps>> = {
  sudo: {
    valued:
      '-u --user -g --group -p --prompt -C --close-from -h --host -r --role -t --type -T --command-timeout -D --chdir ' +
      '-R --chroot -U --other-user -c --login-class -a --auth-type',
  },
  doas: { valued: '-u -C -a' },
  pkexec: { valued: '--user' },
  env: { valued: '-u --unset -C --chdir -P', script: '-S --split-string' },
  timeout: { skip: 1, valued: '-k --kill-after -s --signal' },
  gtimeout: { skip: 1, valued: '-k --kill-after -s --signal' },
  nice: { valued: '-n --adjustment' },
  ionice: { valued: '-c --class -n --classdata' },
  chrt: { skip: 1 },
  taskset: { skip: 1 },
  nohup: {},
  setsid: {},
  stdbuf: { valued: '-i --input -o --output -e --error' },
  time: { valued: '-f --format -o --output' },
  builtin: {},
  exec: { valued: '-a' },
  caffeinate: { valued: '-t -w' },
  watch: { joined: true, valued: '-n --interval -q --equexit -s --shotsdir' },
  xargs: {
    valued: '-I -n --max-args -P --max-procs -L --max-lines -d --delimiter -a --arg-file -E -s --max-chars -R -S -J',
  },
  parallel: { joined: true, valued: '-j --jobs -a --arg-file -I -n -N -S' },
  su: { script: '-c --command', skip: 1, valued: '-s --shell -g --group -G' },
  runuser: { script: '-c --command', valued: '-u --user -s --shell -g -G' },
  flock: { skip: 1, script: '-c --command', valued: '-w --timeout -E --conflict-exit-code' },
  chroot: { skip: 1, valued: '--groups --userspec' },
  unshare: { valued: '-R --root -w --wd -S -G --map-user --map-group' },
  nsenter: { valued: '-t --target -S -G' },
  strace: { valued: '-o -e -p -s -u -E -P -a -b -I -O -S -U -X' },
  ltrace: { valued: '-o -e -p -s -u -a -n' },
  busybox: {},
  toybox: {},
  eval: { joined: true },
  'xvfb-run': { valued: '-e -f -n -p -s -w' },
  'dbus-run-session': {},
  'systemd-run': { valued: '-p --property -u --unit -M --machine -E --setenv' },
  bwrap: { valued: '--chdir --dev --proc --tmpfs --dir --unsetenv --hostname' },
  winpty: {},
};

/** Programs that do little but run another one (C2), by the options of their manuals (GNU, BSD, sudo 1.9, util-linux). */
export const wrappers: readonly Program[] = [
  ...Object.entries(rows).map(
    ([names, wraps]): Program => ({
      names,
      wraps,
      // What they read names from may name any file.
      ...(/^(?:xargs|parallel)$/.test(names) && { sweeps: () => [wholeTree] }),
    }),
  ),
  {
    names: 'command',
    words: 'names',
    wraps: { unless: /^-[A-Za-z]*[vV]/ },
    reads: (words) =>
      /^-[vV]$/.test(words[0]?.value ?? '') && words.every(({ pieces }) => pieces.every(({ kind }) => kind === 'text')),
  },
  {
    names: 'script',
    wraps: { script: '-c --command', skip: 1, valued: '-t -E -I -O -B -T -m -o' },
    writes: 'names',
    outputs: '-o',
  },
  { names: 'start-stop-daemon', takes: [{ long: 'exec startas', short: 'xa' }] },
];
