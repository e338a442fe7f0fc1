import type { Omi } from '#website';
import { requireDevice } from './actions.ts';
import { fieldsOf } from './body.ts';
import { Problem } from './problem.ts';
import type { BankSession } from './sessions.ts';
import { requireOther, type StepUp } from './step-up.ts';

/** What the page tells its user. */
const checks = {
  byPhone: 'You confirmed it with another phone.',
  byBank:
    'It was your only phone, so nothing is left to confirm with. A real bank now checks in another way that it is you: an identity ' +
    'document, a code by letter, or a visit. A stolen session alone must never be enough here. This demo skips the check.',
};

type Bank = { omi: Omi; stepUp: StepUp };

/**
 * Removes a phone that the user no longer has. With another phone the user confirms it there; without one, a real bank checks its
 * customer in another way.
 *
 * @returns which check was made
 */
export async function loseDevice(
  request: Request,
  session: BankSession,
  { omi, stepUp }: Bank,
): Promise<string> {
  const { userId } = session;
  const { deviceId, 'omi-confirmation': confirmationId } = await fieldsOf(request);
  const devices = await omi.devices(userId);
  const lost = requireDevice(devices, deviceId);
  if (devices.length === 1) {
    await omi.removeDevice(userId, lost.deviceId);
    return checks.byBank;
  }
  if (confirmationId === undefined)
    throw new Problem('You have another phone: confirm there that this one is removed.', {
      code: 'confirmation-required',
    });
  const { confirmation } = await stepUp.consume(request, session);
  requireOther(devices, lost, confirmation.deviceId);
  await omi.removeDevice(userId, lost.deviceId, { confirmation: confirmation.nonce });
  return checks.byPhone;
}
