import { createHash } from 'node:crypto';
import * as v from 'valibot';

export const expectedUserId = 'expected 1 to 128 characters of A-Z a-z 0-9 . _ ~ @ : + -, but not . or ..';

/** Characters that an HTTP API path transports unchanged. Clients remove the segments `.` and `..` (RFC 3986, 5.2.4). */
export const userId = v.pipe(v.string(), v.regex(/^(?!\.{1,2}$)[A-Za-z0-9._~@:+-]{1,128}$/, expectedUserId));

/** The website's idempotency key. */
export const nonce = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9._~-]{16,128}$/, 'expected 16 to 128 characters of A-Z a-z 0-9 . _ ~ -'),
);

/** base64url SHA-256 of the text's UTF-8 bytes, 43 characters. */
export const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('base64url');

/** Anyone can compute it, so the evidence can be matched with the tenant and nonce offline. */
export const challengeIdOf = (tenantId: string, nonceValue: string): string =>
  sha256(`${tenantId}\n${nonceValue}`);

/** The device signs this hash of the message. */
export const messageHashOf = (message: string): string => sha256(message);

/** The form of {@link sha256}. A text of another form is not an id of anything. */
export const sha256Text = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/));
