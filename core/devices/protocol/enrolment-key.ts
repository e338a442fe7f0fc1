import * as v from 'valibot';
import type { DeviceKey } from '../device-key.ts';
import { isCanonical } from './compact.ts';
import { invalidSignature, type UnverifiedMessage } from './jws.ts';

const coordinate = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/), v.check(isCanonical));

/** Members of private keys (RFC 7518, section 6) are rejected. */
const secret = v.optional(v.never());

/**
 * A public P-256 key for signatures. Unknown members are ignored (RFC 7517, section 4), but `use`, `key_ops` and `alg` must
 * fit; WebCrypto's exports have `key_ops` and `ext`.
 */
const publicKey = v.object({
  kty: v.literal('EC'),
  crv: v.literal('P-256'),
  x: coordinate,
  y: coordinate,
  use: v.optional(v.literal('sig')),
  key_ops: v.optional(v.strictTuple([v.literal('verify')])),
  alg: v.optional(v.literal('ES256')),
  ...Object.fromEntries(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].map((name) => [name, secret])),
});

/**
 * The key in the header of an enrolment, which has no device record yet. The check of the signature also checks that the
 * point is on the curve.
 *
 * @throws {Refusal} `invalid-signature`
 */
export function enrolmentKeyOf({ header }: UnverifiedMessage): DeviceKey {
  const result = v.safeParse(publicKey, header['jwk']);
  if (!result.success) throw invalidSignature('Expected the header jwk: a public P-256 key (RFC 7517).');
  const { kty, crv, x, y } = result.output;
  return { kty, crv, x, y };
}
