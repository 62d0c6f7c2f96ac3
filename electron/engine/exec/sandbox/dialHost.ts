import { lookup } from 'node:dns/promises';
import { BlockList, connect, isIP, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { canonicalHost, hostMatches } from '../../base/hostMatches.ts';
import { isMetadataHost } from '../../base/metadataHost.ts';

/** This machine: no name on a list may lead here, nor to where clouds tell their secrets, only the address itself or `localhost`. */
function ownAddresses(): BlockList {
  const list = new BlockList();
  list.addSubnet('127.0.0.0', 8, 'ipv4');
  list.addSubnet('0.0.0.0', 8, 'ipv4');
  list.addAddress('::1', 'ipv6');
  list.addAddress('::', 'ipv6');
  return list;
}

/** Made with the first address that is judged: no start has to wait for it. */
let own: BlockList | undefined;

/** Whether an address is this machine's own, also in its IPv6 spelling, and as other machines of its networks know it. */
export function isOwnAddress(address: string, interfaces = networkInterfaces): boolean {
  const canonical = canonicalHost(address);
  const plain = canonical.replace(/^\[(.*)\]$/, '$1');
  own ??= ownAddresses();
  if (own.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') || isMetadataHost(address)) return true;
  const bound = Object.values(interfaces()).flatMap((entries) => entries ?? []);
  return bound.some((entry) => entry.address === plain || canonicalHost(entry.address) === canonical);
}

/** Whether a list of hosts names this one. This machine must be named itself: `*` stands for the network only. */
export function listAllows(list: readonly string[], host: string): boolean {
  const isOwn = isIP(host) === 0 ? /^localhost\.?$/i.test(host) || isMetadataHost(host) : isOwnAddress(host);
  return list.some((pattern) => !(isOwn && pattern.includes('*')) && hostMatches(pattern, host));
}

async function addressOf(host: string): Promise<string> {
  return (await lookup(host)).address;
}

/** Connects to a host that is allowed by its name. Rejects with the system's error, or when the name leads to this machine. */
export async function dialHost(host: string, port: number, resolve = addressOf): Promise<Socket> {
  const named = isIP(host) === 0 && host !== 'localhost';
  const address = await resolve(host);
  if (named && isOwnAddress(address)) throw new Error(`${host} leads to ${address}, which is this machine`);
  return new Promise((done, reject) => {
    const socket = connect(port, address);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      done(socket);
    });
  });
}
