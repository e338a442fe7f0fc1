import { BlockList, isIP } from 'node:net';

const blocked = (family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
};

/** IANA IPv4 Special-Purpose Address Registry, with multicast: loopback, private, link-local (AWS's metadata), and others. */
const special4 = blocked('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/** Inside the global unicast addresses: protocol assignments (Teredo among them) and documentation. */
const special6 = blocked('ipv6', ['2001::/23', '2001:db8::/32', '3fff::/20']);
const global6 = blocked('ipv6', ['2000::/3']);

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = canonical
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''))
    .map((groups) => groups.map((group) => Number.parseInt(group, 16)));
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

const isPrefix = (groups: readonly number[], prefix: readonly number[]): boolean =>
  prefix.every((group, index) => groups[index] === group);

const ipv4Of = (high = 0, low = 0): string => [high >> 8, high & 255, low >> 8, low & 255].join('.');

/** The IPv4 address that is reached through the IPv6 address: IPv4-mapped, NAT64 (RFC 6052) or 6to4 (RFC 3056). */
function embeddedIpv4(groups: readonly number[]): string | undefined {
  const isMapped = isPrefix(groups, [0, 0, 0, 0, 0, 0xffff]);
  const isNat64 = isPrefix(groups, [0x64, 0xff9b, 0, 0, 0, 0]);
  if (isMapped || isNat64) return ipv4Of(groups[6], groups[7]);
  return groups[0] === 0x2002 ? ipv4Of(groups[1], groups[2]) : undefined;
}

/** Whether an IP address is on the public internet, so that a call of it cannot reach anything of the operator's. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !special4.check(address, 'ipv4');
  // A zone belongs to an address of the local network.
  if (version === 0 || address.includes('%')) return false;
  const embedded = embeddedIpv4(groupsOf(address));
  if (embedded !== undefined) return isPublicAddress(embedded);
  return global6.check(address, 'ipv6') && !special6.check(address, 'ipv6');
}
