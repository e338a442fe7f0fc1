import type { Proof } from '../prove.ts';
import type { Check, Context, Receipt } from '../types.ts';

/** What is proved. */
export type Statement = {
  tenantId: string;
  userId: string;
  decision: 'confirm' | 'deny';
  reason?: string;
  message: string;
  details?: string;
  /** By the device's clock (RFC 3339). */
  answeredAt: string;
  /** Whether a passkey of the enrolment verified the user for this decision. */
  userVerified: boolean;
  /** What else the device showed. */
  context: Context;
  device: {
    deviceId: string;
    /** RFC 7638 thumbprint of its key. */
    jkt: string;
    platform: string;
    enrolledAt: string;
    enrolledBy: Receipt['by'];
    /** The client that asked for the enrolment. */
    client: string;
  };
};

export const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

export function statementOf(
  { claims, receipt, context }: Proof,
  { message, details }: { message: string; details?: string | undefined },
): Statement {
  const { tid, sub, decision, iat, jkt, reason, userVerification } = claims;
  return {
    ...{ tenantId: tid, userId: sub, decision },
    ...(typeof reason === 'string' && { reason }),
    message,
    ...(details !== undefined && { details }),
    answeredAt: timeOf(iat),
    userVerified: userVerification !== undefined,
    context,
    device: {
      ...{ deviceId: receipt.deviceId, jkt, platform: receipt.platform },
      ...{ enrolledAt: timeOf(receipt.iat), enrolledBy: receipt.by, client: receipt.client },
    },
  };
}

/** What each group of checks has proved. */
export const stepTexts = {
  signature: 'The answer was signed by the key that it names, and by no other.',
  question:
    'It answers this very question: service, tenant, user, device, nonce, message, details and decision.',
  context: 'The device showed this context: who asked, for what, and from where.',
  receipt: 'The service vouches that the user enrolled this device with this key.',
  passkey: "The enrolled passkey verified the device's user for this decision.",
  record: 'Times, hashes and reason beside the evidence agree with it.',
  events: (count: number, enrolment: boolean): string =>
    `${count} exported events agree: the answer is among them, and the device was not removed before it. ` +
    (enrolment ? 'So is the enrolment of this key.' : 'The enrolment is not among them.'),
} satisfies Record<Check | 'record', string> & { events: unknown };
