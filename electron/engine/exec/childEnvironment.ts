import { statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { taskMark } from './processes/processTree.ts';

const secretName =
  /(?:^|_)(?:API_?KEY|(?:AUTH_?)?TOKEN|SECRET|PAT|JWT|AUTH|CREDENTIALS?|CONNECTION_?STRING)$|_PWD$|PASS(?:WORD|WD|PHRASE)$/i;
/** Keys are secret, but for those that say otherwise. */
const keyName = /(?:^|_)KEY$/i;
const openKey = /(?:^|_)(?:PUBLIC|PUBLISHABLE|CACHE|GPG|SORT|PRIMARY|PARTITION)_KEY$/i;
/** `postgres://user:password@db.example.org/…`: that of this machine opens nothing elsewhere, and a proxy's is needed to get out. */
const withPassword = /^[a-z][a-z0-9+.-]*:\/\/[^\s/@:]*:[^\s/@]+@(?!(?:localhost|127\.[\d.]+|\[::1\])(?:[:/?]|$))/i;
/** Ours, not the command's. */
const ownNames = new Set(['ELECTRON_RUN_AS_NODE', 'ELECTRON_NO_ATTACH_CONSOLE', 'VISE_SCRIPT', 'VISE_TOKEN', taskMark]);

export type Environment = Readonly<Record<string, string | undefined>>;

export interface EnvironmentOptions {
  readonly extraPaths: readonly string[];
  /** Relative extra paths refer to it. */
  readonly workspace: string;
  readonly home: string;
  /** Names that are passed on although they look like a secret's, as long as the value is none of `secrets`. */
  readonly allow: readonly string[];
  /** Values that must not reach a command under any name: the keys of the configured providers. */
  readonly secrets: readonly string[];
  readonly additions: Readonly<Record<string, string>>;
}

/** The environment of a command: the parent's, without secrets (security.md C6), with the extra paths in front of PATH. */
export function childEnvironment(parent: Environment, options: EnvironmentOptions): Record<string, string> {
  const secrets = new Set(options.secrets.filter((value) => value.length > 0));
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(parent)) {
    if (value === undefined || ownNames.has(name)) continue;
    if (secrets.has(value) || (isSecret(name, value) && !options.allow.includes(name))) continue;
    environment[name] = value;
  }
  Object.assign(environment, options.additions);
  const pathName = pathVariable(environment);
  const path = extendPath(environment[pathName] ?? '', options);
  if (path !== '') environment[pathName] = path;
  return environment;
}

function isSecret(name: string, value: string): boolean {
  if (secretName.test(name) || (keyName.test(name) && !openKey.test(name))) return true;
  return withPassword.test(value) && !/proxy$/i.test(name);
}

/** Windows does not tell the case of names. */
function pathVariable(environment: Environment): string {
  if (process.platform !== 'win32') return 'PATH';
  return Object.keys(environment).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
}

function extendPath(path: string, { extraPaths, workspace, home }: EnvironmentOptions): string {
  const separator = process.platform === 'win32' ? ';' : ':';
  const front = new Set<string>();
  for (const entry of extraPaths) {
    const folder = expandPath(entry, workspace, home);
    if (isFolder(folder)) front.add(folder);
  }
  if (front.size === 0) return path;
  if (path === '') return [...front].join(separator);
  const rest = path.split(separator).filter((folder) => !front.has(folder));
  return [...front, ...rest].join(separator);
}

function expandPath(entry: string, workspace: string, home: string): string {
  if (entry === '~') return home;
  if (entry.startsWith('~/') || entry.startsWith('~\\')) return join(home, entry.slice(2));
  return isAbsolute(entry) ? entry : resolve(workspace, entry);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
