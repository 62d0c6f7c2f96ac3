import { onlyReads, programOf } from '../../shell/programs/programs.ts';

export interface NamedHost {
  readonly host: string;
  /** It may be a file or a word that looks like one. */
  readonly isGuess?: true;
}

/** No name of a host is longer, and no scheme: without a limit a long word would cost the square of its length or worse. */
const maxHost = 253;
const label = '[\\p{L}\\p{N}_](?:[\\p{L}\\p{N}_-]*[\\p{L}\\p{N}_])?';
/** Made at the first word: reading classes of Unicode takes a start a millisecond. */
let domain: RegExp | undefined;
function isDomain(word: string): boolean {
  domain ??= new RegExp(`^(?:${label}[.\u3002\uff0e\uff61])+${label}[.\u3002\uff0e\uff61]?$`, 'u');
  return domain.test(word);
}

/**
 * Hosts that a word names: in an address, as `user@host:path`, and by name alone for programs that take one; `isAddress`
 * when the whole word is one. What only looks like a host is a guess, so that a person decides.
 */
export function hostsIn(
  word: string,
  program: string,
): { readonly hosts: readonly NamedHost[]; readonly isAddress: boolean } {
  const device = /^\/dev\/(?:tcp|udp)\/([^/]+)\//.exec(word)?.[1];
  if (device !== undefined) return { hosts: [{ host: device }], isAddress: true };
  const value = word.replace(/^--?[\w-]+=/, '');
  const scheme = /^(?:[a-z][a-z0-9+.-]*:)?[\\/]{2}/i.exec(value)?.[0];
  if (
    scheme !== undefined &&
    /:|^\/\/[^/]/.test(scheme + value.slice(scheme.length, scheme.length + 1)) &&
    !value.startsWith('//')
  ) {
    return { hosts: addressHosts(value.slice(scheme.length)), isAddress: true };
  }
  const inside = [...value.matchAll(/[a-z][a-z0-9+.-]{0,40}:\/\/([^\s'"]+)/gi)].flatMap((found) =>
    addressHosts(found[1] ?? ''),
  );
  if (inside.length > 0) return { hosts: inside, isAddress: false };
  if (onlyReads(program)) return { hosts: [], isAddress: false };
  const bare = bareHost(value, program);
  if (bare === undefined) return { hosts: [], isAddress: false };
  return {
    hosts: [programOf(program).connects && !word.startsWith('-') ? { host: bare } : { host: bare, isGuess: true }],
    isAddress: false,
  };
}

/** The host behind `scheme://`, and every reading of it where programs differ about `@`, `\` and blanks. */
function addressHosts(rest: string): readonly NamedHost[] {
  const authority = /^[^/?#]*/.exec(rest)?.[0] ?? '';
  const readings = new Set([authority, authority.split('\\')[0] ?? '']);
  const hosts = new Set<string>();
  for (const reading of readings) {
    hosts.add(withoutPort(reading.slice(reading.lastIndexOf('@') + 1)));
    if (reading.split('@').length > 2)
      hosts.add(withoutPort(reading.slice(reading.indexOf('@') + 1).split('@')[0] ?? ''));
  }
  // curl makes several addresses of `{a,b}` and `[1-3]`.
  return [...hosts]
    .filter((host) => host !== '')
    .map((host) => (/[{}]|\[(?![0-9a-f:.%]*\])/i.test(host) ? { host: '', isGuess: true as const } : { host }));
}

function withoutPort(authority: string): string {
  return /^(\[[^\]]*\])/.exec(authority)?.[1] ?? authority.replace(/:[^:]*$/, '');
}

function bareHost(value: string, program: string): string | undefined {
  const remote = /^(?:[^@\s/]+@)?(\[[^\]]+\]|[^:/@\s]+)(?::|\/|$)/u.exec(value)?.[1];
  if (remote === undefined) return undefined;
  if (
    (remote.length <= maxHost + 1 && isDomain(remote)) ||
    /^\[[0-9a-f:.]+\]$/i.test(remote) ||
    /^(?:localhost|0x[0-9a-f]+)$/i.test(remote)
  )
    return remote;
  // A number is an address to those that open it; `::1` stands without brackets where no port follows.
  if (
    programOf(program).connects &&
    (/^\d{8,}$/.test(remote) || value.includes('@') || /^(?:ssh|ping6?|telnet|nc|ncat)$/.test(program))
  )
    return /^[\w.-]+$/.test(remote) ? remote : undefined;
  return undefined;
}
