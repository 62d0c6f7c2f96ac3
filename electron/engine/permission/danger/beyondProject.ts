import type { Command } from '../../shell/parse/line.ts';
import { mountSources } from '../../shell/programs/containers.ts';
import { programName } from '../../shell/programs/program.ts';
import { type BeyondGroup, destroyedElsewhere, reachingOut, startedLater } from './beyondTable.ts';

/** What a command does to more than files: other machines, services, accounts, and what is started later. */
export interface Beyond {
  /** It cannot be taken back (C4). */
  readonly red?: string | undefined;
  /** Asked under every level, whatever rules say (P12). */
  readonly always?: string | undefined;
  /** Asked under every level, unless a rule names it. */
  readonly asked?: string | undefined;
}

const knowsDryRun = /^(?:kubectl|oc|helm|aws|npm|pnpm|cargo|poetry|uv)$/;

/** It only says what it would do: the option stands there once, is no value of another one, and is not switched off. */
function isTried(name: string, argv: readonly string[]): boolean {
  if (!knowsDryRun.test(name)) return false;
  const mentions = [...argv.keys()].filter((at) => /dry-?run/.test(argv[at] ?? ''));
  const [at = 0] = mentions;
  const end = argv.indexOf('--');
  return (
    mentions.length === 1 &&
    /^--dry-?run(?:=(?:client|server|true))?$/.test(argv[at] ?? '') &&
    !(argv[at - 1] ?? '').startsWith('-') &&
    !/^(?:false|no|none|null|0)$/i.test(argv[at + 1] ?? '') &&
    (end < 0 || at < end)
  );
}

/** What a command does beyond files, by the table of its program. */
export function beyondProject(command: Command): Beyond {
  const name = tableName(command.argv[0] ?? '');
  if (isTried(name, command.argv)) return {};
  const lines = [...readings(command.argv), ...command.redirects.flatMap(({ body }) => body ?? [])];
  const whyOf = (groups: readonly BeyondGroup[]): string | undefined => {
    const group = groups.find(({ rows }) => Object.hasOwn(rows, name) && lines.some((line) => rows[name]?.test(line)));
    return group && `${name} ${group.why}`;
  };
  const found = { red: whyOf(destroyedElsewhere), always: whyOf(startedLater), asked: whyOf(reachingOut) };
  if (isContainer.test(name)) found.always ??= rightsOf(command);
  return found;
}

/** Programs of which a form may be red, so that a wrapper which nobody knows must not hide them. */
export const mayDestroyBeyond = (word: string): boolean =>
  destroyedElsewhere.some(({ rows }) => Object.hasOwn(rows, tableName(word)));

const tableName = (word: string): string => programName(word).replace(/^pip[\d.]+$/, 'pip');

/** The words from each place where the verb may stand: behind options, and behind what may be the value of one. */
function readings(argv: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (let at = 1; at <= argv.length; at += 1) {
    const word = argv[at] ?? '';
    const before = argv[at - 1] ?? '';
    const isOption = /^-./.test(word);
    if (!isOption || at === 1) {
      const options = argv.slice(1).filter((one) => /^-./.test(one));
      const names = argv.slice(at).filter((one) => !/^-./.test(one));
      found.push([...names, ...options].join(' '));
    }
    if (!isOption && !(at > 1 && before.startsWith('-') && !before.includes('='))) break;
  }
  return found;
}

const isContainer = /^(?:docker|podman|nerdctl|docker-compose|podman-compose)$/;
const freed =
  /^--privileged(?:=true)?$|^--(?:cap-add|device|security-opt|pid=host|userns=host|ipc=host|uts=host|cgroupns=host)/;
const system =
  /^(?:\/|~|\$\{?HOME\}?)\/?$|^\/(?:etc|var|usr|root|boot|dev|proc|sys|s?bin|lib\w*|opt|run)(?:\/|$)|^\/(?:home|Users)(?:\/[^/]+)?\/?$|^(?:\.\.\/?)+$|\.sock$/;

/** A container that is given the machine: its root, its devices, its folders, or the socket of what starts containers. */
function rightsOf({ argv }: Command): string | undefined {
  const right = argv.find(
    (word, at) => freed.test(word) || (/^--(?:pid|userns|ipc|uts)$/.test(word) && argv[at + 1] === 'host'),
  );
  if (right !== undefined) return `its option ${right} gives a container rights over this machine`;
  const source = mountSources(argv).find((path) => system.test(path));
  return source === undefined ? undefined : `it gives a container ${source} of this machine`;
}
