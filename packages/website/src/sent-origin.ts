import { shownAddress } from '../../evidence/src/check-context.ts';
import type { RequestOrigin as KnownOrigin } from '../../evidence/src/types.ts';
import type { RequestOrigin } from './types.ts';

const byte = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const ipv4 = new RegExp(`^${byte}(?:\\.${byte}){3}$`);

/**
 * The origin as the service takes it. Frameworks and proxies write addresses in many ways, and it is only shown: what is no
 * address is left out, so that no payment fails for it.
 */
export function sentOrigin(origin: KnownOrigin | undefined): RequestOrigin | undefined {
  if (!origin) return undefined;
  const { ip, ...others } = origin;
  const known = Object.entries({ ...others, ip: addressIn(ip) }).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

/** What the device shows of an origin: `null`, nothing, if nothing of it was sent. */
export const shownOrigin = (asked: KnownOrigin | null | undefined): RequestOrigin | null | undefined =>
  asked && (sentOrigin(asked) ?? null);

/** The address of the user in `203.0.113.7:51324`, `[2001:db8::7]:443`, `fe80::1%eth0`, `::ffff:203.0.113.7` or a list. */
function addressIn(given: unknown): string | undefined {
  // Node.js has a list where a header was sent twice, and programs without types have null where there was none.
  const [first = ''] = String(given).split(',');
  const address = first
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/, '');
  return ipv4.test(address) || isIpv6(address) ? shownAddress(address) : undefined;
}

const isIpv6 = (text: string): boolean => /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`);
