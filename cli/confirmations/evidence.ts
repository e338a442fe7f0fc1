import * as v from 'valibot';
import { assertion, verifySigned } from '../../core/devices/passkeys/assertion.ts';
import { readMessage, verify } from '../../core/devices/protocol/jws.ts';
import type { Confirmation } from '../../core/confirmations/confirmation.ts';
import { Refusal } from '../../core/kernel/refusal.ts';
import { challengeIdOf } from '../../core/kernel/identifiers.ts';
import { seconds } from '../../core/kernel/time.ts';

/** Whether the device's signed answer is valid, and why not. */
export type Evidence = { present: boolean; verified: boolean; faults: string[] };

const decisions: Partial<Record<Confirmation['status'], string>> = { confirmed: 'confirm', denied: 'deny' };

/** Checks the stored answer in the way in which anyone can check it who keeps it, without asking the service. */
export async function verifyEvidence(confirmation: Confirmation): Promise<Evidence> {
  const { evidence, deviceKey } = confirmation;
  if (evidence === undefined || deviceKey === undefined)
    return { present: false, verified: false, faults: [] };
  const faults = [...recordFaults(confirmation), ...(await answerFaults(confirmation, evidence, deviceKey))];
  return { present: true, verified: faults.length === 0, faults };
}

/** The hashes are computed from the record's texts when it is read. The nonce of a request by CIBA is not kept. */
function recordFaults(confirmation: Confirmation): string[] {
  const { tenantId, nonce, challengeId } = confirmation;
  return nonce === undefined || challengeIdOf(tenantId, nonce) === challengeId
    ? []
    : ['challengeId does not follow from tenant and nonce'];
}

async function answerFaults(
  confirmation: Confirmation,
  evidence: string,
  key: NonNullable<Confirmation['deviceKey']>,
): Promise<string[]> {
  try {
    const message = readMessage(evidence, 'omi-response+jws');
    const { aud, iat } = message.claims;
    // Any audience is accepted, because the base URL may have changed since. The time is that of the decision.
    const baseUrl = typeof aud === 'string' ? aud : '';
    const now = confirmation.decidedAt ?? Number(iat) * seconds;
    await verify(message, { baseUrls: [baseUrl], key, now });
    verifyUserVerification(confirmation, message.claims);
    return claimFaults(confirmation, message.claims);
  } catch (error) {
    if (error instanceof Refusal) return [error.message];
    throw error;
  }
}

/**
 * Any app is accepted, because the stage's origins may have changed since.
 *
 * @throws {Refusal} `user-verification-failed`
 */
function verifyUserVerification(confirmation: Confirmation, claims: Record<string, unknown>): void {
  const { status, userVerified, passkeyKey } = confirmation;
  if (!userVerified) return;
  const claim = v.safeParse(assertion, claims['userVerification']);
  if (!claim.success || !passkeyKey)
    throw new Refusal('user-verification-failed', 'the answer has no proof that the user was verified');
  const decided = { ...confirmation, decision: decisions[status] ?? '' };
  verifySigned(claim.output, decided, passkeyKey);
}

function claimFaults(confirmation: Confirmation, claims: Record<string, unknown>): string[] {
  const expected = {
    challengeId: confirmation.challengeId,
    messageHash: confirmation.messageHash,
    detailsHash: confirmation.detailsHash,
    contextHash: confirmation.contextHash,
    iss: confirmation.deviceId,
    sub: confirmation.userId,
    tid: confirmation.tenantId,
    decision: decisions[confirmation.status],
  };
  return Object.entries(expected).flatMap(([name, value]) =>
    claims[name] === value ? [] : [`the claim ${name} differs from the record`],
  );
}
