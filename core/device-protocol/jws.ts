import { compactVerify, decodeProtectedHeader, decodeJwt, errors, importJWK, type JWTPayload } from 'jose';
import type { DeviceKey } from '../domain/device.ts';
import { Refusal } from '../domain/refusal.ts';
import { minutes, rfc3339, seconds } from '../domain/time.ts';

/** The `typ` of each message of the device protocol (contract part 3). */
export type MessageType = 'omi-enrolment+jws' | 'omi-request+jws' | 'omi-response+jws' | 'omi-push-token+jws';

/** A message as its sender claims it to be: nothing of it is true until {@link verify} has passed. */
export type UnverifiedMessage = {
  jws: string;
  header: Record<string, unknown>;
  claims: JWTPayload & { tid?: unknown };
};

export type Expected = { type: MessageType; audience: string; key: DeviceKey; now: number };

const clockTolerance = 5 * minutes;

const compact = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

export const invalidSignature = (detail: string, cause?: unknown): Refusal =>
  new Refusal('invalid-signature', detail, { cause });

/** One text form for one signature: base64url has spare bits that a decoder ignores. */
const isCanonical = (part: string): boolean => Buffer.from(part, 'base64url').toString('base64url') === part;

/**
 * Takes a compact JWS (RFC 7515) apart without believing it.
 *
 * @throws {Refusal} `invalid-signature`
 */
export function readMessage(jws: string): UnverifiedMessage {
  if (!compact.test(jws) || !jws.split('.').every(isCanonical)) {
    throw invalidSignature('Expected a JWS in compact serialization (RFC 7515).');
  }
  try {
    return { jws, header: { ...decodeProtectedHeader(jws) }, claims: decodeJwt(jws) };
  } catch (error) {
    throw invalidSignature('Expected a JWS whose header and payload are JSON objects.', error);
  }
}

function checkHeader(header: Record<string, unknown>, type: MessageType): void {
  if (header['alg'] !== 'ES256') throw invalidSignature('Expected the header alg: "ES256".');
  if (header['typ'] !== type) throw invalidSignature(`Expected the header typ: "${type}".`);
  if ('crit' in header) throw invalidSignature('Expected no header crit.');
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

function checkClaims({ aud, iat, jti }: JWTPayload, audience: string, now: number): void {
  if (aud !== audience) throw invalidSignature(`Expected the claim aud: "${audience}".`);
  if (typeof jti !== 'string' || jti === '') throw invalidSignature('Expected the claim jti, a string.');
  if (typeof iat !== 'number') throw invalidSignature('Expected the claim iat, a number (RFC 7519).');
  if (Math.abs(iat * seconds - now) > clockTolerance) {
    throw new Refusal('clock-skew', "The claim iat is more than 5 minutes away from the service's clock.", {
      serverTime: rfc3339(now),
    });
  }
}

/**
 * Proves that the message was signed with the key, for this service, now (contract part 3). The signature is
 * checked before the clock, so that only the key's holder learns the service's time.
 *
 * @throws {Refusal} `invalid-signature` or `clock-skew`
 */
export async function verify(message: UnverifiedMessage, expected: Expected): Promise<void> {
  checkHeader(message.header, expected.type);
  await checkSignature(message.jws, expected.key);
  checkClaims(message.claims, expected.audience, expected.now);
}
