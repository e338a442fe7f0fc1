import * as v from 'valibot';
import { visibleText } from '../kernel/text.ts';

const noAddress = 'expected an IPv4 or IPv6 address';

/** `::ffff:cb00:7107`, as a URL writes every form of it: an IPv4 address (RFC 4291, section 2.5.5.2). */
const mapped = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/;

/** As people know it: 203.0.113.7 for ::ffff:203.0.113.7, and every other address as it is. */
function shownAddress(ip: string): string {
  const found = ip.includes(':') ? mapped.exec(new URL(`http://[${ip}]`).hostname) : null;
  if (!found) return ip;
  const [, ...words] = found;
  return Buffer.from(words.map((word) => word.padStart(4, '0')).join(''), 'hex').join('.');
}

export const originMembers = {
  browser: v.optional(visibleText(64)),
  place: v.optional(visibleText(64)),
  // A zone (RFC 6874) is a name of the sender's own network, of any length.
  ip: v.optional(
    v.pipe(
      v.string('expected a string'),
      v.regex(/^[^%]*$/, noAddress),
      v.ip(noAddress),
      v.transform(shownAddress),
    ),
  ),
};

const isKnown = v.check<Record<string, unknown>, string>(
  (origin) => Object.keys(originMembers).some((name) => origin[name] !== undefined),
  `expected at least one of ${Object.keys(originMembers).join(', ')}`,
);

/** Where the user's request to the website came from. */
export const requestOrigin = v.pipe(v.strictObject(originMembers), isKnown);
