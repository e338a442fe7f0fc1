import type { ConfirmationStore } from '../confirmations/confirmation-store.ts';
import type { DeviceStore } from '../devices/device-store.ts';
import { ConditionsFailed } from '../aws/dynamodb-client.ts';
import type { EnrolmentStore } from './enrolment-store.ts';
import { ConflictError } from '../kernel/conflict-error.ts';
import type { User } from '../devices/device.ts';
import type { Enrolment } from './enrolment.ts';
import type { WebsiteCaller } from '../tenants/tenant.ts';
import { authorizeByConfirmation, type AuthorizedChange } from './authorize-by-confirmation.ts';

export type StartEnrolmentDeps = {
  enrolments: EnrolmentStore;
  devices: DeviceStore;
  confirmations: ConfirmationStore;
};

export type EnrolmentStart = {
  enrolmentId: string;
  user: User;
  /** The nonce of the confirmation that shall allow it. */
  confirmation: string | undefined;
  expiresAt: number;
  caller: WebsiteCaller;
  now: number;
};

/** What lets the user have a further device. The first one needs nothing; whether it is the first is checked again later. */
async function authorize(
  { devices, confirmations }: StartEnrolmentDeps,
  invitation: EnrolmentStart,
): Promise<AuthorizedChange> {
  const { user, caller, enrolmentId, now } = invitation;
  if (caller.recovery) return { authorization: { by: 'recovery' }, writes: [] };
  if (caller.settings.furtherDevices !== 'confirm') return { writes: [] };
  const { devices: owned } = await devices.loadUser(user);
  if (owned.length === 0) return { writes: [] };
  const change = { user, devices: owned, purpose: 'add-device', use: enrolmentId } as const;
  return await authorizeByConfirmation(confirmations, invitation.confirmation, change, now);
}

/**
 * Records an enrolment, and uses the confirmation up that allows it.
 *
 * @throws {Refusal} `confirmation-required`; {@link ConflictError} to be run again from its reads
 */
export async function startEnrolment(deps: StartEnrolmentDeps, invitation: EnrolmentStart): Promise<void> {
  const { enrolmentId, user, expiresAt, caller } = invitation;
  const { authorization, writes } = await authorize(deps, invitation);
  const enrolment: Enrolment = {
    enrolmentId,
    ...user,
    clientId: caller.clientId,
    maxDevices: caller.settings.maxDevices,
    expiresAt,
    ...(authorization && { authorization }),
  };
  try {
    await deps.enrolments.create(enrolment, writes);
  } catch (error) {
    if (error instanceof ConditionsFailed) throw new ConflictError('used meanwhile', { cause: error });
    throw error;
  }
}
