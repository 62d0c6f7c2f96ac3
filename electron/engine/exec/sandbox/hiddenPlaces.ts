import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Where programs keep keys below the home folder, from their own documentation: OpenSSH, GnuPG, the clouds' command lines,
 * Kubernetes, Docker, package registries, git's credential store, browsers, password stores, other agents.
 */
const secretPlaces: readonly string[] = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.config/gcloud',
  '.config/gh',
  '.config/glab-cli',
  '.config/op',
  '.config/doctl',
  '.config/hcloud',
  '.kube',
  '.docker/config.json',
  '.netrc',
  '.git-credentials',
  '.config/git/credentials',
  '.pgpass',
  '.my.cnf',
  '.npmrc',
  '.yarnrc.yml',
  '.pypirc',
  '.gem/credentials',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.terraform.d/credentials.tfrc.json',
  '.vault-token',
  '.password-store',
  '.local/share/keyrings',
  '.mozilla',
  '.config/google-chrome',
  '.config/chromium',
  '.config/BraveSoftware',
  '.config/microsoft-edge',
  '.claude/.credentials.json',
  '.codex/auth.json',
  '.gemini/oauth_creds.json',
];

/** The places that hold keys below a home folder, but those that commands may read all the same. */
export const secretsOf = (home: string, readable: readonly string[]): readonly string[] =>
  secretPlaces.filter((place) => !readable.includes(place)).map((place) => join(home, place));

/** Where our own mounts show nothing of the machine anyway. */
const shown = (path: string, bound: readonly string[]): boolean =>
  !/^\/(tmp|run|dev|proc)\//.test(path) || bound.some((folder) => path.startsWith(`${folder}/`));

/**
 * The sockets with a name that programs of this machine listen on: what can be connected to acts outside the sandbox, and a
 * read-only mount does not keep from connecting. Those made after the start are not known.
 */
function socketsOfMachine(bound: readonly string[]): readonly string[] {
  const lines = existsSync('/proc/net/unix') ? readFileSync('/proc/net/unix', 'utf8').split('\n') : [];
  const paths = lines.map((line) => /^(?:\S+\s+){7}(\/.*)$/.exec(line)?.[1] ?? '').filter((path) => path !== '');
  return [...new Set(paths)].filter((path) => shown(path, bound));
}

/** Mounts that cover a path with nothing: an empty folder, or an empty file. Links are covered where they lead. */
function covered(path: string): readonly string[] {
  if (!lstatSync(path, { throwIfNoEntry: false })) return [];
  try {
    const real = realpathSync(path);
    return lstatSync(real).isDirectory() ? ['--tmpfs', real] : ['--ro-bind', '/dev/null', real];
  } catch {
    return []; // leads nowhere, so there is nothing to read
  }
}

export interface Hidden {
  readonly project: string;
  /** Folders of programs that are bound beside it. */
  readonly tools: readonly string[];
  readonly home: string;
  /** Further folders: Vise's own, and the sockets of its hosts. */
  readonly folders: readonly string[];
  /** Of the secret places, those that commands may read all the same; relative to the home folder. */
  readonly readable: readonly string[];
  /** Whether the command can make sockets, so that those of this machine must be covered. */
  readonly sockets: boolean;
}

/**
 * The arguments of `bwrap` that hide keys below the home folder, the given folders and the sockets of this machine. What holds
 * the project is to stand `before` the project's own mount, which shows it again; the rest `after`, also below the project.
 */
export function hidePlaces({ project, tools, home, folders, readable, sockets }: Hidden): {
  readonly before: readonly string[];
  readonly after: readonly string[];
} {
  const hidden = [...secretsOf(home, readable), ...folders, ...(sockets ? socketsOfMachine([project, ...tools]) : [])];
  const holdsProject = (path: string): boolean => `${project}/`.startsWith(`${path}/`);
  return {
    before: hidden.filter(holdsProject).flatMap(covered),
    after: hidden.filter((path) => !holdsProject(path)).flatMap(covered),
  };
}
