import { createHash, createPublicKey, verify } from 'node:crypto';
import { ConsumerError } from '../consumer-error.ts';
import type { Event } from '../event.ts';
import type { OcsfAttestation } from './ocsf-event.ts';

/** A device's signed answer with its key, as `GET /omi/push/confirmation` or a callback has them. */
export type Evidence = { evidence: string; deviceKey: { kty: string; crv: string; x: string; y: string } };

type Claims = {
  challengeId?: unknown;
  messageHash?: unknown;
  decision?: unknown;
  iss?: unknown;
  iat?: unknown;
  jkt?: unknown;
};

const decisions = new Map([
  ['PushNotificationConfirmedEvent', 'confirm'],
  ['PushNotificationDeniedEvent', 'deny'],
]);

const mismatch = (detail: string): ConsumerError => new ConsumerError('evidence-mismatch', detail);

/**
 * The evidence as an attestation of the profile `record_integrity`. The device signed its own answer and not the OCSF event,
 * so verify the JWS itself; `digest` is that of its signing input.
 *
 * @throws {ConsumerError} `evidence-mismatch` if the device did not sign the content of the event
 */
export function attest({ metadata, payload }: Event, { evidence, deviceKey }: Evidence): OcsfAttestation {
  const [header = '', body = '', signature = ''] = evidence.split('.');
  const signed = Buffer.from(`${header}.${body}`);
  if (!isSignedBy(deviceKey, signed, signature)) throw mismatch('The device did not sign this evidence.');
  const claims = claimsOf(body);
  // Another key can be found that verifies the same signature. It has another thumbprint.
  if (claims.jkt !== thumbprintOf(deviceKey)) throw mismatch('The device signed with another key.');
  const { challengeId, messageHash, deviceId } = (payload ?? {}) as Record<string, unknown>;
  if (
    typeof challengeId !== 'string' ||
    typeof deviceId !== 'string' ||
    decisions.get(metadata.type) === undefined
  )
    throw mismatch('Only answers of users have evidence.');
  if (claims.challengeId !== challengeId || claims.messageHash !== messageHash || claims.iss !== deviceId)
    throw mismatch('The evidence is of another confirmation.');
  if (claims.decision !== decisions.get(metadata.type)) throw mismatch('The evidence has another decision.');
  return {
    uid: challengeId,
    authority_uid: deviceId,
    signatures: [
      {
        algorithm: 'ECDSA',
        algorithm_id: 3,
        serialization: 'JWS',
        serialization_id: 3,
        state: 'Valid',
        state_id: 1,
        ...(typeof claims.iat === 'number' && { created_time: claims.iat * 1000 }),
        digest: {
          algorithm: 'SHA-256',
          algorithm_id: 3,
          encoding: 'Hex',
          encoding_id: 1,
          serialization: 'JWS',
          serialization_id: 3,
          value: createHash('sha256').update(signed).digest('hex'),
        },
      },
    ],
  };
}

/** RFC 7638. */
const thumbprintOf = ({ crv, kty, x, y }: Evidence['deviceKey']): string =>
  createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');

function isSignedBy(jwk: Evidence['deviceKey'], signed: Buffer, signature: string): boolean {
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    return verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}

function claimsOf(body: string): Claims {
  try {
    return (JSON.parse(Buffer.from(body, 'base64url').toString()) ?? {}) as Claims;
  } catch {
    throw mismatch('The evidence is not a JWS.');
  }
}
