import * as v from 'valibot';
import type { BaseUrls } from '../kernel/base-urls.ts';
import { whichDevices, type WhichDevices } from '../confirmations/confirmation.ts';
import { userId } from '../kernel/identifiers.ts';
import { withoutFinalSlash } from './client-assertion.ts';
import { invalidRequest } from './oauth-error.ts';

/** The user that a client means, and which of their devices. */
export type LoginHint = {
  userId: string;
  deviceId?: string | undefined;
  devices?: WhichDevices | undefined;
};

/** Subject identifier of RFC 9493, section 3.2.4, in which the issuer may be absent. */
const subject = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    format: v.literal('iss_sub'),
    iss: v.optional(v.string()),
    sub: v.string(),
    device: v.optional(v.string()),
    devices: v.optional(v.picklist(whichDevices)),
  }),
);

const isUserId = (text: string): boolean => v.is(userId, text);

/**
 * Reads a user id, or a JSON text with the user as its `sub`.
 *
 * @returns undefined if it cannot be a user of one of these issuers
 * @throws {OAuthError} `invalid_request`
 */
export function readLoginHint(text: string, issuers: BaseUrls): LoginHint | undefined {
  if (!text.trimStart().startsWith('{')) return isUserId(text) ? { userId: text } : undefined;
  const result = v.safeParse(subject, text);
  if (!result.success)
    throw invalidRequest('Expected a login_hint that is a user id, or JSON with format: iss_sub and sub.');
  const { iss = issuers[0], sub, device, devices } = result.output;
  if (device !== undefined && devices === 'all')
    throw invalidRequest('Expected a login_hint with device or with devices: all.');
  if (!issuers.includes(withoutFinalSlash(iss)) || !isUserId(sub)) return undefined;
  return { userId: sub, deviceId: device, devices };
}
