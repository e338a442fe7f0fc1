import type * as v from 'valibot';
import type { SendRequest } from '../confirmations/send-confirmation.ts';
import { Refusal, refusalOf, type FieldFault } from '../kernel/refusal.ts';
import { ambiguitiesOf } from '../kernel/strict-json.ts';
import type { pushBody } from './request-schemas.ts';

const ofDetails = /^\/authorizationDetails(?:\/|$)/;

/**
 * The refusal of a push with faults; undefined if there are none. If only the authorization details are invalid, it has the
 * code of RFC 9396, section 5.
 */
export function pushRefusal(faults: Iterable<FieldFault>): Refusal | undefined {
  const refusal = refusalOf(faults);
  if (!refusal?.options.errors?.every(({ pointer }) => ofDetails.test(pointer))) return refusal;
  return new Refusal('invalid_authorization_details', refusal.message, refusal.options);
}

/** Levels of JSON. Valid bodies have fewer. */
const deepest = 8;

/** The refusal of a body that two readers could read differently. */
export const refuseAmbiguities = (text: string): Refusal | undefined =>
  pushRefusal(ambiguitiesOf(text, deepest));

type Path = Pick<SendRequest, 'userId' | 'deviceId'>;

export function sendRequestOf(path: Path, body: v.InferOutput<ReturnType<typeof pushBody>>): SendRequest {
  const { authorizationDetails, ...asked } = body;
  return { ...path, ...asked, details: authorizationDetails && JSON.stringify(authorizationDetails) };
}
