import type { ConfirmationStore } from '../confirmations/confirmation-store.ts';
import type { Write } from '../aws/dynamodb-client.ts';
import {
  authorizesChange,
  confirmationRequired,
  type Authorization,
  type DeviceChange,
} from './device-changes.ts';
import { challengeIdOf } from '../kernel/identifiers.ts';

/** What authorizes a change, and the writes to commit with it. */
export type AuthorizedChange = { authorization?: Authorization; writes: Write[] };

/**
 * Finds the confirmation that authorizes a change of the user's devices. Using the confirmation is one of the writes of the
 * change, so only one of two concurrent changes succeeds.
 *
 * @throws {Refusal} `confirmation-required`
 */
export async function authorizeByConfirmation(
  confirmations: ConfirmationStore,
  nonce: string | undefined,
  change: DeviceChange,
  now: number,
): Promise<AuthorizedChange> {
  const challengeId = nonce === undefined ? undefined : challengeIdOf(change.user.tenantId, nonce);
  const confirmation = challengeId === undefined ? undefined : await confirmations.find(challengeId, now);
  const deviceId = confirmation?.deviceId;
  if (!confirmation || deviceId === undefined || !authorizesChange(confirmation, change, now))
    throw confirmationRequired(change.purpose);
  return {
    authorization: { by: 'confirmation', challengeId: confirmation.challengeId, deviceId },
    writes: [confirmations.consume(confirmation.challengeId, change.use)],
  };
}
