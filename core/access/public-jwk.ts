import * as v from 'valibot';

const base64url = v.pipe(v.string(), v.regex(/^[\w-]+$/));
const kid = v.optional(v.string());

/** Each has one algorithm, so that the header of a signature cannot choose another. */
export const publicJwk = v.variant('kty', [
  v.strictObject({
    kty: v.literal('EC'),
    crv: v.literal('P-256'),
    x: base64url,
    y: base64url,
    alg: v.literal('ES256'),
    kid,
  }),
  v.strictObject({ kty: v.literal('RSA'), n: base64url, e: base64url, alg: v.literal('RS256'), kid }),
]);

/** A client's public key (RFC 7517), by which its signatures are verified. */
export type PublicJwk = v.InferOutput<typeof publicJwk>;
