import { compactVerify, errors, importJWK } from 'jose';
import { thumbprintOf } from '../device.ts';
import type { DeviceKey } from '../device-key.ts';
import type { BaseUrls } from '../../kernel/base-urls.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { minutes, rfc3339, seconds } from '../../kernel/time.ts';
import { type CompactJws, largestMessageBytes, readCompact } from './compact.ts';

/** The `typ` of each message of the device protocol. */
export type MessageType =
  | 'omi-enrolment+jws'
  | 'omi-request+jws'
  | 'omi-response+jws'
  | 'omi-push-token+jws'
  | 'omi-device-name+jws';

/** A message that must not be trusted before {@link verify} has succeeded. */
export type UnverifiedMessage = CompactJws & { jws: string };

export type Expected = { baseUrls: BaseUrls; key: DeviceKey; now: number };

/** The highest age of a message, and how far a device's clock may be ahead. */
const longestAgeMs = 5 * minutes;
const longestLeadMs = 60 * seconds;

export const invalidSignature = (detail: string, cause?: unknown): Refusal =>
  new Refusal('invalid-signature', detail, { cause });

/** Other parameters could make a library use another key, or read the message in another way. */
const parameters = ['alg', 'typ', 'kid'];

function checkHeader(header: Record<string, unknown>, type: MessageType): void {
  if (header['alg'] !== 'ES256') throw invalidSignature('Expected the header alg: "ES256".');
  if (header['typ'] !== type) throw invalidSignature(`Expected the header typ: "${type}".`);
  const allowed = type === 'omi-enrolment+jws' ? [...parameters, 'jwk'] : parameters;
  if (!Object.keys(header).every((name) => allowed.includes(name)))
    throw invalidSignature(`Expected no header parameters other than ${allowed.join(', ')}.`);
  if ('kid' in header && typeof header['kid'] !== 'string')
    throw invalidSignature('Expected the header kid to be a string.');
}

/** What libraries of phones write in place of the compact form, first what hides the others. */
const usualFaults: readonly [RegExp, string][] = [
  [/^\s*["{]/, 'Expected the JWS itself as the body, not JSON.'],
  [/\s/, 'Expected a JWS without line breaks and spaces, also at its end.'],
  [/=/, 'Expected base64url without padding (RFC 7515, section 2): remove each "=".'],
  [/[+/]/, 'Expected base64url (RFC 7515, section 2), with "-" and "_" in place of "+" and "/".'],
];

const malformed = 'Expected a JWS in compact serialization (RFC 7515) of at most 8 KB.';

const signatureFault = 'Expected a signature of 64 bytes r and s, not DER (RFC 7518, section 3.4).';

/** DER is a SEQUENCE, whose tag is 0x30. */
function isDer(signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64url');
  return bytes[0] === 0x30 && bytes[1] === bytes.length - 2;
}

function formFaultOf(jws: string): string {
  if (jws.length > largestMessageBytes) return malformed;
  const [, usual] = usualFaults.find(([pattern]) => pattern.test(jws)) ?? [];
  const [, , signature = '', ...more] = jws.split('.');
  return usual ?? (more.length === 0 && isDer(signature) ? signatureFault : malformed);
}

function readParts(jws: string): CompactJws {
  let parts: CompactJws | undefined;
  try {
    parts = readCompact(jws);
  } catch (error) {
    throw invalidSignature(
      'Expected a JWS whose header and payload are JSON objects without duplicate members and with at most 8 levels.',
      error,
    );
  }
  if (parts) return parts;
  throw invalidSignature(formFaultOf(jws));
}

/**
 * Parses a message without verifying it.
 *
 * @throws {Refusal} `invalid-signature`
 */
export function readMessage(jws: string, type: MessageType): UnverifiedMessage {
  const parts = readParts(jws);
  checkHeader(parts.header, type);
  return { jws, ...parts };
}

async function checkSignature(jws: string, key: DeviceKey): Promise<void> {
  try {
    await compactVerify(jws, await importJWK(key, 'ES256'), { algorithms: ['ES256'] });
  } catch (error) {
    if (!(error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException)) {
      throw error;
    }
    throw invalidSignature("The signature does not verify with the device's key.", error);
  }
}

/** `NumericDate` of RFC 7519, section 2. */
const isDate = (value: unknown): value is number => Number.isFinite(value);

/** In milliseconds since 1970. */
function dateOf(claims: Record<string, unknown>, name: 'exp' | 'nbf'): number | undefined {
  const value = claims[name];
  if (value === undefined) return undefined;
  if (isDate(value)) return value * seconds;
  throw invalidSignature(`Expected the claim ${name} to be a number (RFC 7519).`);
}

/** No tolerance for `exp`, because the device itself has set it (RFC 7519, section 4.1.4). */
function checkTime(claims: Record<string, unknown>, now: number): void {
  if (!isDate(claims['iat'])) throw invalidSignature('Expected the claim iat, a number (RFC 7519).');
  const issuedAt = claims['iat'] * seconds;
  const [expiresAt = Infinity, notBefore = -Infinity] = [dateOf(claims, 'exp'), dateOf(claims, 'nbf')];
  const faults = {
    'iat is more than 5 minutes old': now - issuedAt > longestAgeMs,
    'iat is more than 60 seconds ahead of the service': issuedAt - now > longestLeadMs,
    'exp has passed': now >= expiresAt,
    'nbf is more than 60 seconds ahead of the service': notBefore - now > longestLeadMs,
  };
  const [fault] = Object.entries(faults).find(([, isFault]) => isFault) ?? [];
  if (fault === undefined) return;
  throw new Refusal('clock-skew', `The claim ${fault}: see serverTime.`, { serverTime: rfc3339(now) });
}

/**
 * The message must name its key: for each ECDSA signature, a second public key that verifies it can be computed. So a valid
 * signature alone does not prove which key signed.
 */
function checkKeyName({ jkt }: Record<string, unknown>, key: DeviceKey): void {
  if (jkt === thumbprintOf(key)) return;
  throw invalidSignature('Expected the claim jkt: the thumbprint (RFC 7638) of the key that signs.');
}

function checkClaims(claims: Record<string, unknown>, { baseUrls, key, now }: Expected): void {
  const { aud, jti } = claims;
  checkKeyName(claims, key);
  if (!baseUrls.some((url) => url === aud))
    throw invalidSignature(`Expected the claim aud: "${baseUrls[0]}".`);
  if (typeof jti !== 'string' || jti === '') throw invalidSignature('Expected the claim jti, a string.');
  checkTime(claims, now);
}

/**
 * Verifies that the message was signed with the key, for this service, now. The signature is checked before the time, so
 * that only the holder of the key learns the service's time.
 *
 * For each ECDSA signature (r, s), (r, n − s) is valid, too. It makes another JWS with the same content, which may decide in
 * place of the first. Then the first is rejected like any other JWS.
 *
 * @throws {Refusal} `invalid-signature` or `clock-skew`
 */
export async function verify(message: UnverifiedMessage, expected: Expected): Promise<void> {
  await checkSignature(message.jws, expected.key);
  checkClaims(message.claims, expected);
}
