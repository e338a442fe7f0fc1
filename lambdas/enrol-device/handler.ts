import * as v from 'valibot';
import { enrolmentClaims } from '../../core/device-protocol/claims.ts';
import { invalidSignature, readMessage, verify } from '../../core/device-protocol/jws.ts';
import type { DeviceKey } from '../../core/domain/device.ts';
import { json } from '../../core/http/answers.ts';
import { callOf } from '../../core/http/call.ts';
import type { Handler } from '../../core/http/lambda.ts';
import { parse } from '../../core/http/parse.ts';
import { retryContended } from '../../core/operations/retry-contended.ts';
import { enrol, type EnrolDeps } from './enrol.ts';

const request = v.object({ body: enrolmentClaims });

const coordinate = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/));
const publicKey = v.object({
  kty: v.literal('EC'),
  crv: v.literal('P-256'),
  x: coordinate,
  y: coordinate,
  /** A private key has no place in a message. */
  d: v.optional(v.never()),
});

/** The one message that brings its own key: there is no device record yet. */
function keyOf(header: Record<string, unknown>): DeviceKey {
  const result = v.safeParse(publicKey, header['jwk']);
  if (!result.success) throw invalidSignature('Expected the header jwk: a public P-256 key (RFC 7517).');
  const { kty, crv, x, y } = result.output;
  return { kty, crv, x, y };
}

export type Deps = EnrolDeps & { baseUrl: string };

export const createHandler =
  ({ baseUrl, ...deps }: Deps): Handler =>
  async (event) => {
    const call = callOf(event, Date.now());
    const message = readMessage(event.body ?? '');
    const key = keyOf(message.header);
    await verify(message, { type: 'omi-enrolment+jws', audience: baseUrl, key, now: call.now });
    const { code, ...description } = parse(request, { body: message.claims }).body;
    const application = { code, key, description, call };
    return json(201, await retryContended(async () => await enrol(deps, application)));
  };
