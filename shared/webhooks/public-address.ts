import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IPv4 networks from IANA's special-purpose registry, and multicast. */
const privateNetworks = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local, including AWS's metadata services.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const;

/**
 * Special-purpose networks within global unicast: protocol assignments such as Teredo,
 * documentation, AS112, and 6to4, whose addresses contain an IPv4 address.
 */
const specialNetworks = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const;

const refused = new BlockList();
for (const [network, bits] of privateNetworks) refused.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of specialNetworks) refused.addSubnet(network, bits, 'ipv6');

/**
 * Global unicast addresses. All other IPv6 addresses, such as IPv4-mapped, NAT64, local and
 * multicast addresses, are not public.
 */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/**
 * Reports whether an IP address, as a resolver or a socket returns it, is on the public internet.
 * Returns false for text that is not an address, and for an address with a zone.
 *
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refused.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return false;
  return globalUnicast.check(address, 'ipv6') && !refused.check(address, 'ipv6');
}
