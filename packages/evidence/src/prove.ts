import { digestOf } from './bytes.ts';
import { checkContext, readContext } from './check-context.ts';
import { checkPasskey } from './check-passkey.ts';
import { checkReceipt } from './check-receipt.ts';
import { type ComparedClaim, EvidenceError } from './evidence-error.ts';
import { isSigned, type Members, readJws, thumbprintOf } from './jws.ts';
import type { Check, Context, Evidence, Evident, KnownContext, Receipt, Trust } from './types.ts';

/** What the evidence must say. A claim that is not named here is not compared. */
export type Expected = Trust &
  KnownContext & {
    tenantId?: string | undefined;
    userId?: string | undefined;
    deviceId?: string | undefined;
    /** Thumbprints of the user's keys. */
    knownKeys?: readonly string[] | undefined;
    claims: Partial<Record<'challengeId' | 'messageHash' | 'detailsHash', string | undefined>>;
    /** Called after each group of checks. */
    passed?: (check: Check) => void;
  };

export type Proof = { claims: Evidence; receipt: Receipt; context: Context };

const decisions: Partial<Record<string, string>> = { confirmed: 'confirm', denied: 'deny' };

/**
 * Verifies that the user's enrolled device signed this decision about this question, as it showed it.
 *
 * @throws {EvidenceError} with the check that failed as its `code`
 */
export async function prove(confirmation: Evident, expected: Expected): Promise<Proof> {
  const { status, tenantId, userId, deviceId } = confirmation;
  const { evidence, deviceKey, passkeyKey, context: text, receipt: receiptText } = confirmation;
  const { baseUrl, formerBaseUrls = [], passed } = expected;
  const decision = Object.hasOwn(decisions, status) ? decisions[status] : undefined;
  if (decision === undefined) throw new EvidenceError('status');
  if (deviceId === undefined || evidence === undefined || !deviceKey) throw new EvidenceError('missing');
  if (receiptText === undefined || text === undefined) throw new EvidenceError('missing');

  const jws = readJws(evidence, 'malformed');
  const asked = expected.deviceId ?? deviceId;
  checkHeader(jws.header, asked);
  const jkt = await thumbprintOf(deviceKey);
  if (expected.knownKeys?.includes(jkt) === false) throw new EvidenceError('unknown-key');
  const hasSigned = await isSigned(deviceKey, jws.signature, jws.input);
  if (!hasSigned) throw new EvidenceError(hasSigned === undefined ? 'device-key' : 'signature');
  // Another key can be found that verifies the same signature. It has another thumbprint.
  compare(jws.claims, { jkt });
  passed?.('signature');

  const claims = jws.claims as Evidence;
  if (typeof claims.iat !== 'number') throw new EvidenceError('malformed');
  const isOurs = [baseUrl, ...formerBaseUrls].includes(claims.aud);
  compare(claims, {
    iss: asked,
    sub: expected.userId ?? userId,
    tid: expected.tenantId ?? tenantId,
    aud: isOurs ? claims.aud : baseUrl,
    ...expected.claims,
    decision,
  });
  // Callers may use these members of the confirmation.
  compare(claims, { iss: deviceId, sub: userId, tid: tenantId });
  passed?.('question');

  compare(claims, { contextHash: await digestOf(text) });
  const context = readContext(text);
  checkContext(context, expected);
  passed?.('context');

  const enrolled = { tid: tenantId, sub: userId, deviceId, jkt };
  const receipt = await checkReceipt(receiptText, enrolled, expected);
  passed?.('receipt');

  const { userVerified = false } = confirmation;
  const isRequired = context.userVerification === 'required' && decision === 'confirm';
  if (userVerified !== (claims['userVerification'] !== undefined) || (isRequired && !userVerified))
    throw new EvidenceError('user-verified');
  if (userVerified) {
    await checkPasskey(claims, passkeyKey, receipt.passkey);
    passed?.('passkey');
  }
  return { claims, receipt, context };
}

/** Other parameters could mean that the JWS is read in another way, such as `crit` or `b64`. */
function checkHeader({ alg, typ, kid, ...others }: Members, deviceId: string): void {
  if (alg !== 'ES256') throw new EvidenceError('alg');
  if (typ !== 'omi-response+jws') throw new EvidenceError('typ');
  if (kid !== deviceId) throw new EvidenceError('kid');
  if (Object.keys(others).length > 0) throw new EvidenceError('header');
}

function compare(
  claims: Members,
  expected: Partial<Record<ComparedClaim | 'jkt', string | undefined>>,
): void {
  for (const [name, value] of Object.entries(expected))
    if (claims[name] !== value) throw new EvidenceError(name as ComparedClaim | 'jkt');
}
