import { readMessage, verify } from '../../core/devices/protocol/jws.ts';
import type { Confirmation } from '../../core/confirmations/confirmation.ts';
import { Refusal } from '../../core/kernel/refusal.ts';
import { challengeIdOf, messageHashOf } from '../../core/kernel/identifiers.ts';
import { seconds } from '../../core/kernel/time.ts';

/** Whether the device's signed answer holds, and what does not. Without an answer neither is there. */
export type Evidence = { present: boolean; verified: boolean; faults: string[] };

const decisions: Partial<Record<Confirmation['status'], string>> = { confirmed: 'confirm', denied: 'deny' };

/** What anyone who keeps the answer can check (contract part 1), with nothing but what is stored. */
export async function verifyEvidence(confirmation: Confirmation): Promise<Evidence> {
  const { evidence, deviceKey } = confirmation;
  if (evidence === undefined || deviceKey === undefined)
    return { present: false, verified: false, faults: [] };
  const faults = [...recordFaults(confirmation), ...(await answerFaults(confirmation, evidence, deviceKey))];
  return { present: true, verified: faults.length === 0, faults };
}

/** The record's own ids follow from tenant, nonce and message. */
function recordFaults({ tenantId, nonce, message, challengeId, messageHash }: Confirmation): string[] {
  return [
    ...(challengeIdOf(tenantId, nonce) === challengeId
      ? []
      : ['challengeId is not that of tenant and nonce']),
    ...(messageHashOf(message) === messageHash ? [] : ['messageHash is not that of the message']),
  ];
}

async function answerFaults(
  confirmation: Confirmation,
  evidence: string,
  key: NonNullable<Confirmation['deviceKey']>,
): Promise<string[]> {
  try {
    const message = readMessage(evidence, 'omi-response+jws');
    const { aud, iat } = message.claims;
    // A later reader may be another service: the audience is as the device said. The clock is that of the decision.
    const audience = typeof aud === 'string' ? aud : '';
    const now = confirmation.decidedAt ?? Number(iat) * seconds;
    await verify(message, { audience, key, now });
    return claimFaults(confirmation, message.claims);
  } catch (error) {
    if (error instanceof Refusal) return [error.message];
    throw error;
  }
}

function claimFaults(confirmation: Confirmation, claims: Record<string, unknown>): string[] {
  const expected = {
    challengeId: confirmation.challengeId,
    messageHash: confirmation.messageHash,
    iss: confirmation.deviceId,
    sub: confirmation.userId,
    tid: confirmation.tenantId,
    decision: decisions[confirmation.status],
  };
  return Object.entries(expected).flatMap(([name, value]) =>
    claims[name] === value ? [] : [`the claim ${name} is not the record's`],
  );
}
