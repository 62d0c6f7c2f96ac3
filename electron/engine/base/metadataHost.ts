import { BlockList, isIP } from 'node:net';
import { canonicalHost } from './hostMatches.ts';

/** Where clouds tell a machine its secrets: link-local addresses, and what the manuals of the clouds name beside them. */
function cloudAddresses(): BlockList {
  const list = new BlockList();
  list.addSubnet('169.254.0.0', 16, 'ipv4');
  list.addSubnet('fe80::', 10, 'ipv6');
  list.addAddress('100.100.100.200', 'ipv4'); // Alibaba Cloud
  list.addAddress('192.0.0.192', 'ipv4'); // Oracle Cloud
  list.addAddress('168.63.129.16', 'ipv4'); // Azure
  list.addAddress('fd00:ec2::254', 'ipv6'); // AWS
  list.addAddress('fd20:ce::254', 'ipv6'); // Google Cloud
  return list;
}

/** Made with the first host that is judged: it takes 5 ms that no start has to wait for. */
let addresses: BlockList | undefined;

const names = /^(?:metadata\.google\.internal|instance-data\.ec2\.internal|metadata\.tencentyun\.com)$/;

/** Whether a host is such a place, in whatever spelling (decimal, octal, IPv6). What a name leads to is not asked. */
export function isMetadataHost(host: string): boolean {
  const canonical = canonicalHost(host);
  const plain = canonical.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(plain);
  if (family === 0) return names.test(plain);
  addresses ??= cloudAddresses();
  return addresses.check(plain, family === 6 ? 'ipv6' : 'ipv4');
}
