import { lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { canonicalHost } from '../base/hostMatches.ts';
import { isOwnAddress } from '../exec/sandbox/dialHost.ts';

/** All addresses that a name leads to now. Rejects with the system's error. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/**
 * Tells names of others that lead to this machine or to where clouds tell their secrets: a page of such a name could read what runs
 * here (DNS rebinding). `localhost`, this machine's name, names of its hosts file and addresses themselves are not meant.
 */
export interface ForeignNames {
  /** Why a host is not asked for; undefined also for a name that leads nowhere. */
  before(host: string): Promise<string | undefined>;
  /** Why what came from this address under this name is not shown: the name may have been led elsewhere meanwhile. */
  after(host: string, address: string): string | undefined;
}

/** How long what a name leads to is taken for known, ms: the parts of one page come within it. */
const knownMs = 2_000;
const maxKnown = 1_000;

export function createForeignNames(resolve: Resolve = addressesOf, hosts = hostsFile): ForeignNames {
  const known = new Map<string, { readonly at: number; readonly addresses: Promise<readonly string[]> }>();
  const isOwn = (name: string): boolean =>
    isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 ||
    /(?:^|\.)localhost$/.test(name) ||
    name === canonicalHost(hostname()) ||
    new RegExp(`^[^#\\n]*\\s${name.replaceAll('.', '\\.')}(?:\\s|$)`, 'im').test(hosts());
  const whyNot = (name: string, address: string): string | undefined =>
    isOwnAddress(address) && !isOwn(name)
      ? `it leads to ${address}, which is this machine; open that address, or put the name into the hosts file`
      : undefined;
  return {
    async before(host) {
      const name = canonicalHost(host);
      if (isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0) return undefined;
      const now = performance.now();
      let found = known.get(name);
      if (found === undefined || now - found.at > knownMs) {
        if (known.size >= maxKnown) known.clear();
        found = { at: now, addresses: resolve(name).catch(() => []) };
        known.set(name, found);
      }
      const addresses = await found.addresses;
      return addresses.map((address) => whyNot(name, address)).find((why) => why !== undefined);
    },
    after: (host, address) => whyNot(canonicalHost(host), address),
  };
}

const addressesOf: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/** Only who administers this machine writes it. */
function hostsFile(): string {
  const windows = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'drivers', 'etc', 'hosts');
  try {
    return readFileSync(process.platform === 'win32' ? windows : '/etc/hosts', 'utf8');
  } catch {
    return '';
  }
}
