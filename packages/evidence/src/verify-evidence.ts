import { digestOf } from './bytes.ts';
import { prove } from './prove.ts';
import type { Evidence, Evident, KnownContext, Trust } from './types.ts';

/** What was asked, from the website's own records. */
export type AskedQuestion = KnownContext & {
  nonce: string;
  userId: string;
  message: string;
  details?: readonly object[] | undefined;
  /** If absent, the device that the service names. */
  deviceId?: string | undefined;
  /** If absent, the tenant that the service names. */
  tenantId?: string | undefined;
  /** Thumbprints of the user's keys, as kept since their enrolments. If absent, the service's receipt is enough. */
  knownKeys?: readonly string[] | undefined;
};

/**
 * Verifies without the service that the user's device signed this decision about what was asked, and that the service vouches
 * for the device's key.
 *
 * @throws {EvidenceError} with the check that failed as its `code`
 */
export async function verifyEvidence(
  confirmation: Evident,
  { nonce, message, details, ...asked }: AskedQuestion & Trust,
): Promise<Evidence> {
  const tenantId = asked.tenantId ?? confirmation.tenantId;
  const { claims } = await prove(confirmation, {
    ...asked,
    claims: {
      challengeId: await digestOf(`${tenantId}\n${nonce}`),
      messageHash: await digestOf(message),
      detailsHash: details && (await digestOf(JSON.stringify(details))),
    },
  });
  return claims;
}
