/**
 * Names of one option of one program. A single character stands for `-x`, `+` for a word that begins with it, the rest for
 * `--name`. From the manuals of git, coreutils, curl, wget, npm, docker and kubectl.
 */
type Names = readonly string[];

interface ProgramFlags {
  readonly same: readonly Names[];
  /** Characters that must have a value: the rest of their cluster, or the next word. One that may have none is not here. */
  readonly valued?: string;
}

const recursiveForce: ProgramFlags = {
  same: [
    ['r', 'R', 'recursive'],
    ['f', 'force'],
  ],
};

const programs: Readonly<Record<string, ProgramFlags>> = {
  'git push': {
    // A refspec with `+` and a mirror overwrite just as --force does; `:branch` deletes.
    same: [
      ['f', 'force', '+', 'mirror'],
      ['d', 'delete', ':'],
      ['u', 'set-upstream'],
      ['n', 'dry-run'],
      ['v', 'verbose'],
      ['q', 'quiet'],
      ['4', 'ipv4'],
      ['6', 'ipv6'],
      ['o', 'push-option'],
      ['all', 'branches'],
    ],
    valued: 'o',
  },
  'git commit': {
    same: [
      ['n', 'no-verify'],
      ['a', 'all'],
      ['m', 'message'],
      ['S', 'gpg-sign'],
      ['s', 'signoff'],
      ['q', 'quiet'],
      ['v', 'verbose'],
      ['e', 'edit'],
      ['F', 'file'],
      ['C', 'reuse-message'],
      ['c', 'reedit-message'],
      ['p', 'patch'],
    ],
    valued: 'mFCct',
  },
  'git clean': {
    same: [
      ['f', 'force'],
      ['n', 'dry-run'],
      ['e', 'exclude'],
      ['q', 'quiet'],
      ['i', 'interactive'],
    ],
    valued: 'e',
  },
  'git branch': {
    same: [
      ['d', 'delete', 'D'],
      ['m', 'move', 'M'],
      ['c', 'copy', 'C'],
      ['f', 'force', 'D', 'M', 'C'],
      ['u', 'set-upstream-to'],
      ['a', 'all'],
      ['r', 'remotes'],
    ],
    valued: 'u',
  },
  'git checkout': { same: [['f', 'force'], ['b'], ['B'], ['d', 'detach'], ['q', 'quiet']], valued: 'bB' },
  'git switch': {
    same: [
      ['f', 'force', 'discard-changes'],
      ['c', 'create'],
      ['C', 'force-create'],
    ],
    valued: 'cC',
  },
  'git tag': {
    same: [
      ['d', 'delete'],
      ['f', 'force'],
      ['a', 'annotate'],
      ['m', 'message'],
      ['s', 'sign'],
    ],
    valued: 'mFu',
  },
  'git fetch': {
    same: [
      ['f', 'force', '+'],
      ['p', 'prune'],
      ['t', 'tags'],
    ],
  },
  rm: { same: [...recursiveForce.same, ['d', 'dir'], ['i'], ['I'], ['v', 'verbose']] },
  cp: {
    same: [
      ['r', 'R', 'recursive', 'a', 'archive'],
      ['f', 'force'],
      ['t', 'target-directory'],
    ],
    valued: 'tS',
  },
  mv: {
    same: [
      ['f', 'force'],
      ['t', 'target-directory'],
    ],
    valued: 'tS',
  },
  ln: {
    same: [
      ['s', 'symbolic'],
      ['f', 'force'],
    ],
    valued: 'tS',
  },
  chmod: recursiveForce,
  chown: recursiveForce,
  chgrp: recursiveForce,
  sed: {
    same: [
      ['i', 'in-place'],
      ['n', 'quiet', 'silent'],
      ['e', 'expression'],
      ['E', 'r', 'regexp-extended'],
    ],
    valued: 'efl',
  },
  curl: {
    same: [
      ['X', 'request'],
      ['d', 'data'],
      ['o', 'output'],
      ['O', 'remote-name'],
      ['T', 'upload-file'],
      ['F', 'form'],
      ['k', 'insecure'],
      ['H', 'header'],
      ['u', 'user'],
      ['K', 'config'],
      ['L', 'location'],
      ['s', 'silent'],
      ['x', 'proxy'],
    ],
    valued: 'XdoTFHuKxAbceEmrwyzCDPQtUY',
  },
  wget: {
    same: [
      ['O', 'output-document'],
      ['q', 'quiet'],
      ['P', 'directory-prefix'],
      ['r', 'recursive'],
      ['m', 'mirror'],
    ],
    valued: 'OPoaetTwQUDARIX',
  },
  npm: {
    same: [
      ['g', 'global'],
      ['f', 'force'],
      ['w', 'workspace'],
      ['s', 'silent'],
      ['D', 'save-dev'],
      ['y', 'yes'],
    ],
    valued: 'w',
  },
  kubectl: {
    same: [
      ['f', 'filename'],
      ['n', 'namespace'],
      ['A', 'all-namespaces'],
      ['l', 'selector'],
      ['R', 'recursive'],
    ],
    valued: 'fnlco',
  },
  'docker run': {
    same: [
      ['v', 'volume'],
      ['e', 'env'],
      ['p', 'publish'],
      ['i', 'interactive'],
      ['t', 'tty'],
      ['d', 'detach'],
      ['w', 'workdir'],
      ['u', 'user'],
    ],
    valued: 'vepwulmhca',
  },
};

function flagsOf(program: string, verb: string | undefined): ProgramFlags | undefined {
  const key = `${program} ${verb ?? ''}`;
  if (Object.hasOwn(programs, key)) return programs[key];
  return Object.hasOwn(programs, program) ? programs[program] : undefined;
}

/** How sure it is that two options of one program are the same; `maybe` where nobody wrote them down and they could be. */
export function sameFlag(program: string, verb: string | undefined, wanted: string, given: string): Hit {
  if (wanted === given) return 'yes';
  const table = flagsOf(program, verb);
  const known = table?.same.filter((names) => names.includes(wanted)) ?? [];
  if (known.some((names) => names.includes(given))) return 'yes';
  const isKnown = (name: string): boolean => table?.same.some((names) => names.includes(name)) === true;
  // Programs take any beginning of a long name that fits only one.
  if (given.length > 1 && wanted.length > given.length && wanted.startsWith(given))
    return isKnown(given) ? 'no' : 'maybe';
  const abbreviated = known.some((names) => names.some((name) => given.length > 1 && name.startsWith(given)));
  if (abbreviated && !isKnown(given)) return 'maybe';
  const isPair = (wanted.length === 1) !== (given.length === 1);
  const mayBePair = isPair && !isKnown(wanted) && !isKnown(given);
  return mayBePair && wanted[0]?.toLowerCase() === given[0]?.toLowerCase() ? 'maybe' : 'no';
}

export type Hit = 'yes' | 'maybe' | 'no';

/**
 * Whether this option takes a value: the rest of its cluster, or the next word. Nothing where the program's options are not
 * known.
 */
export function takesRest(program: string, verb: string | undefined, name: string): boolean | undefined {
  const table = flagsOf(program, verb);
  if (table === undefined) return undefined;
  const valued = [...(table.valued ?? '')];
  return valued.some(
    (char) => char === name || table.same.some((names) => names.includes(char) && names.includes(name)),
  );
}

export const bestHit = (hits: readonly Hit[]): Hit =>
  hits.includes('yes') ? 'yes' : hits.includes('maybe') ? 'maybe' : 'no';

export const worstHit = (hits: readonly Hit[]): Hit =>
  hits.includes('no') ? 'no' : hits.includes('maybe') ? 'maybe' : 'yes';
