import { digestOf, fromBase64url, utf8 } from './bytes.ts';
import { type ComparedClaim, EvidenceError } from './evidence-error.ts';
import { parseStrictly } from './strict-json.ts';
import type { Asked, Confirmation, Evidence, PublicKey } from './types.ts';

/** The members of a confirmation that the check reads. None of them is trusted. */
export type Evident = Pick<Confirmation, 'status' | 'tenantId' | 'deviceId' | 'userId'> &
  Partial<Pick<Confirmation, 'evidence' | 'deviceKey'>>;

const LARGEST_EVIDENCE = 8 * 1024;
const decisions: Partial<Record<Confirmation['status'], string>> = { confirmed: 'confirm', denied: 'deny' };

/**
 * Verifies without the service that the device signed this decision about what was asked.
 *
 * @throws {EvidenceError} with the check that failed as its `code`
 */
export async function verifyEvidence(
  confirmation: Evident,
  asked: Asked & { baseUrl: string },
): Promise<Evidence> {
  const { status, evidence, deviceKey } = confirmation;
  const decision = decisions[status];
  if (decision === undefined) throw new EvidenceError('status');
  if (evidence === undefined || deviceKey === undefined) throw new EvidenceError('missing');

  const deviceId = asked.deviceId ?? confirmation.deviceId;
  const tenantId = asked.tenantId ?? confirmation.tenantId;
  const { header, claims, input, signature } = readJws(evidence);
  checkHeader(header, deviceId);
  await checkKey(deviceKey, asked.knownKeys);
  await checkSignature(deviceKey, signature, input);
  checkClaims(claims, {
    iss: deviceId,
    sub: asked.userId,
    tid: tenantId,
    aud: asked.baseUrl,
    challengeId: await digestOf(`${tenantId}\n${asked.nonce}`),
    messageHash: await digestOf(asked.message),
    detailsHash: asked.details && (await digestOf(JSON.stringify(asked.details))),
    decision,
  });
  // The website may go on with these.
  checkClaims(claims, { iss: confirmation.deviceId, sub: confirmation.userId, tid: confirmation.tenantId });
  return claims as Evidence;
}

type Members = Record<string, unknown>;
type Jws = { header: Members; claims: Members; input: string; signature: Uint8Array<ArrayBuffer> };

/** A JWS in compact serialization (RFC 7515, section 7.1). */
function readJws(evidence: string): Jws {
  const parts = evidence.length > LARGEST_EVIDENCE ? [] : evidence.split('.');
  const [header = '', claims = '', signature = ''] = parts;
  const bytes = fromBase64url(signature);
  if (parts.length !== 3 || !bytes) throw malformed();
  return {
    header: readObject(header),
    claims: readObject(claims),
    input: `${header}.${claims}`,
    signature: bytes,
  };
}

const malformed = (): EvidenceError => new EvidenceError('malformed');

function readObject(part: string): Members {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(fromBase64url(part));
    const value = parseStrictly(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members;
  } catch {
    // The one error below stands for every fault of the form.
  }
  throw malformed();
}

/** Other parameters could mean that the JWS is read in another way, such as `crit` or `b64`. */
function checkHeader({ alg, typ, kid, ...others }: Members, deviceId: string): void {
  if (alg !== 'ES256') throw new EvidenceError('alg');
  if (typ !== 'omi-response+jws') throw new EvidenceError('typ');
  if (kid !== deviceId) throw new EvidenceError('kid');
  if (Object.keys(others).length > 0) throw new EvidenceError('header');
}

async function checkKey({ x, y }: PublicKey, knownKeys: readonly string[] | undefined): Promise<void> {
  // The thumbprint of RFC 7638: required members, in this order.
  const thumbprint = await digestOf(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }));
  if (knownKeys && !knownKeys.includes(thumbprint)) throw new EvidenceError('unknown-key');
}

async function checkSignature(
  { kty, crv, x, y }: PublicKey,
  signature: Uint8Array<ArrayBuffer>,
  input: string,
) {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const key = await crypto.subtle
    .importKey('jwk', { kty, crv, x, y }, algorithm, false, ['verify'])
    .catch(() => {
      throw new EvidenceError('device-key');
    });
  const isValid = await crypto.subtle.verify(algorithm, key, signature, utf8(input)).catch(() => false);
  if (!isValid) throw new EvidenceError('signature');
}

function checkClaims(claims: Members, expected: Partial<Record<ComparedClaim, string | undefined>>): void {
  for (const [name, value] of Object.entries(expected))
    if (claims[name] !== value) throw new EvidenceError(name as ComparedClaim);
}
