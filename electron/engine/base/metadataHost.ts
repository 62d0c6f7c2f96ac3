import { BlockList, isIP } from 'node:net';
import { canonicalHost } from './hostMatches.ts';

/** Where clouds tell a machine its secrets: link-local addresses, and what the manuals of the clouds name beside them. */
const addresses = new BlockList();
addresses.addSubnet('169.254.0.0', 16, 'ipv4');
addresses.addSubnet('fe80::', 10, 'ipv6');
addresses.addAddress('100.100.100.200', 'ipv4'); // Alibaba Cloud
addresses.addAddress('192.0.0.192', 'ipv4'); // Oracle Cloud
addresses.addAddress('168.63.129.16', 'ipv4'); // Azure
addresses.addAddress('fd00:ec2::254', 'ipv6'); // AWS
addresses.addAddress('fd20:ce::254', 'ipv6'); // Google Cloud

const names = /^(?:metadata\.google\.internal|instance-data\.ec2\.internal|metadata\.tencentyun\.com)$/;

/** Whether a host is such a place, in whatever spelling (decimal, octal, IPv6). What a name leads to is not asked. */
export function isMetadataHost(host: string): boolean {
  const canonical = canonicalHost(host);
  const plain = canonical.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(plain);
  return family === 0 ? names.test(plain) : addresses.check(plain, family === 6 ? 'ipv6' : 'ipv4');
}
