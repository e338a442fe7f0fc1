import type { OutboundAnswer } from '../../outbound/post.ts';
import type { PushFault } from './push-fault.ts';

/** What is wrong with a push that a push service refuses; each needs another action of the operator. */
export type PushRefusalName =
  /** The subscription was made with another VAPID key: the device must open its app. */
  | 'PushKeyRefused'
  /** Apple's does not take the contact, or this machine's clock is wrong. */
  | 'PushContactRefused'
  /** The signature was not understood. */
  | 'PushSignatureRefused'
  | 'PushServiceError';

/** Apple's `VapidPkHashMismatch`; Google's "the VAPID credentials … do not correspond to the credentials used to create …". */
const otherKey = /VapidPkHashMismatch|do not correspond|another key/;

function nameOf(status: number, body: string): PushRefusalName {
  if ((status === 400 || status === 403) && otherKey.test(body)) return 'PushKeyRefused';
  if (status === 403 && body.includes('BadJwtToken')) return 'PushContactRefused';
  return status === 401 || status === 403 ? 'PushSignatureRefused' : 'PushServiceError';
}

/** Only a word is kept: a sentence could quote the endpoint. */
const reasonIn = (body: string): string | undefined =>
  /"(?:reason|error)"\s*:\s*"(?<word>[A-Za-z]{1,40})"/.exec(body)?.groups?.['word'];

/** The fault of an answer that is no success (RFC 8030, section 8.4; RFC 8292, section 4.2). */
export function refusalOf({ status, body = '' }: OutboundAnswer): PushFault {
  const reason = reasonIn(body);
  return { name: nameOf(status, body), code: String(status), ...(reason !== undefined && { reason }) };
}
