import type { ConfirmationStore } from '../../core/adapters/confirmation-store.ts';
import type { DeviceStore } from '../../core/adapters/device-store.ts';
import { ConditionsFailed } from '../../core/adapters/dynamodb.ts';
import type { EnrolmentStore } from '../../core/adapters/enrolment-store.ts';
import { Contended } from '../../core/domain/contended.ts';
import type { User } from '../../core/domain/device.ts';
import type { Enrolment } from '../../core/domain/enrolment.ts';
import type { WebsiteCaller } from '../../core/domain/tenant.ts';
import { useConfirmation, type Permit } from '../../core/operations/use-confirmation.ts';

export type InviteDeps = {
  enrolments: EnrolmentStore;
  devices: DeviceStore;
  confirmations: ConfirmationStore;
};

export type Invitation = {
  enrolmentId: string;
  user: User;
  /** The nonce of the confirmation that shall allow it. */
  confirmation: string | undefined;
  expiresAt: number;
  caller: WebsiteCaller;
  now: number;
};

/** What lets the user have a further device. The first one needs nothing; whether it is the first is checked again later. */
async function permitFor({ devices, confirmations }: InviteDeps, invitation: Invitation): Promise<Permit> {
  const { user, caller, enrolmentId, now } = invitation;
  if (caller.recovery) return { authorization: { by: 'recovery' }, writes: [] };
  if (caller.settings.furtherDevices !== 'confirm') return { writes: [] };
  const { devices: owned } = await devices.loadUser(user);
  if (owned.length === 0) return { writes: [] };
  const change = { user, devices: owned, purpose: 'add-device', use: enrolmentId } as const;
  return await useConfirmation(confirmations, invitation.confirmation, change, now);
}

/**
 * Records an enrolment, and uses the confirmation up that allows it.
 *
 * @throws {Refusal} `confirmation-required`; {@link Contended} to be run again from its reads
 */
export async function invite(deps: InviteDeps, invitation: Invitation): Promise<void> {
  const { enrolmentId, user, expiresAt, caller } = invitation;
  const { authorization, writes } = await permitFor(deps, invitation);
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
    if (error instanceof ConditionsFailed) throw new Contended('used meanwhile', { cause: error });
    throw error;
  }
}
