import { createHash } from 'node:crypto';
import * as v from 'valibot';

/**
 * `userId`: what an HTTP API path can carry without loss. Clients remove the path segments `.` and `..`
 * (RFC 3986, 5.2.4).
 */
export const userId = v.pipe(
  v.string(),
  v.regex(
    /^(?!\.{1,2}$)[A-Za-z0-9._~@:+-]{1,128}$/,
    'expected 1 to 128 characters of A-Z a-z 0-9 . _ ~ @ : + -, but not . or ..',
  ),
);

/** The caller's idempotency key (contract part 1). */
export const nonce = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9._~-]{16,128}$/, 'expected 16 to 128 characters of A-Z a-z 0-9 . _ ~ -'),
);

/** base64url SHA-256 of the text's UTF-8 bytes, 43 characters. */
export const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('base64url');

/** Lets anyone check offline which nonce of which tenant an answer belongs to (contract part 1, `evidence`). */
export const challengeIdOf = (tenantId: string, nonceValue: string): string =>
  sha256(`${tenantId}\n${nonceValue}`);

/** What the device signs in place of the message (contract part 3). */
export const messageHashOf = (message: string): string => sha256(message);

/** What {@link sha256} gives; anything else is the id of nothing. */
export const sha256Text = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/));
