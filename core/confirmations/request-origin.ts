import * as v from 'valibot';
import { visibleText } from '../kernel/text.ts';

const noAddress = 'expected an IPv4 or IPv6 address';

export const originMembers = {
  browser: v.optional(visibleText(64)),
  place: v.optional(visibleText(64)),
  // A zone (RFC 6874) is a name of the sender's own network, of any length.
  ip: v.optional(v.pipe(v.string('expected a string'), v.regex(/^[^%]*$/, noAddress), v.ip(noAddress))),
};

const isKnown = v.check<Record<string, unknown>, string>(
  (origin) => Object.keys(originMembers).some((name) => origin[name] !== undefined),
  `expected at least one of ${Object.keys(originMembers).join(', ')}`,
);

/** Where the user's request to the website came from. */
export const requestOrigin = v.pipe(v.strictObject(originMembers), isKnown);
