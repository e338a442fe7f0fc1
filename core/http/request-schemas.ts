import * as v from 'valibot';
import { nonce, userId } from '../kernel/identifiers.ts';
import { purposes } from '../confirmations/confirmation.ts';
import { messageText } from '../kernel/text.ts';

/**
 * Parameters and bodies of the website's requests. Unknown members of a body are rejected, because a misspelt one would
 * change the meaning. Unknown query parameters are ignored.
 */

export const userPath = v.object({ userId });
export const devicePath = v.object({ userId, deviceId: v.string() });
export const nonceQuery = v.object({ nonce });

const lifetime = 'expected a whole number of seconds from 30 to 600';

export const pushBody = v.strictObject({
  message: messageText,
  nonce,
  expiresIn: v.optional(
    v.pipe(v.number(lifetime), v.integer(lifetime), v.minValue(30, lifetime), v.maxValue(600, lifetime)),
    120,
  ),
  purpose: v.optional(v.picklist(purposes, `expected one of ${purposes.join(', ')}`)),
});

export const enrolmentBody = v.strictObject({ userId, confirmation: v.optional(nonce) });
export const removalQuery = v.object({ confirmation: v.optional(nonce) });
export const enrolmentQuery = v.object({ enrolmentId: v.string() });
