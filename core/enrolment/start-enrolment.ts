import type { ConfirmationStore } from '../confirmations/confirmation-store.ts';
import { ConditionsFailed } from '../aws/dynamodb-client.ts';
import type { EnrolmentStore } from './enrolment-store.ts';
import { ConflictError } from '../kernel/conflict-error.ts';
import { codeLifetimeMs, enrolmentIdOf, newCode, type Enrolment } from './enrolment.ts';
import type { WebsiteCaller } from '../tenants/tenant.ts';
import { authorizeByConfirmation, type AuthorizedChange } from './authorize-by-confirmation.ts';
import { furtherDeviceRefused, isNew } from './device-changes.ts';
import { retryOnConflict } from '../kernel/retry-on-conflict.ts';
import type { User } from '../devices/device.ts';
import type { DeviceStore, UserRecord } from '../devices/device-store.ts';
import { type Recovery, usableRecovery } from '../devices/recovery.ts';

export type StartEnrolmentDeps = {
  enrolments: EnrolmentStore;
  devices: DeviceStore;
  confirmations: ConfirmationStore;
};

export type EnrolmentStart = {
  userId: string;
  /** The nonce of the confirmation that authorizes a further device. */
  confirmation?: string | undefined;
  accountLabel?: string | undefined;
};

export type StartContext = { caller: WebsiteCaller; now: number };

/**
 * Records an enrolment with a new one-time code, and uses the confirmation that authorizes it.
 *
 * @throws {Refusal} `confirmation-required`, `recovery-required`
 */
export async function startEnrolment(
  deps: StartEnrolmentDeps,
  start: EnrolmentStart,
  context: StartContext,
  code = newCode(),
): Promise<{ code: string; enrolment: Enrolment }> {
  const enrolment = await retryOnConflict(
    async () => await record(deps, start, context, enrolmentIdOf(code)),
  );
  return { code, enrolment };
}

async function record(
  deps: StartEnrolmentDeps,
  start: EnrolmentStart,
  { caller, now }: StartContext,
  enrolmentId: string,
): Promise<Enrolment> {
  const { maxDevices, userVerification } = caller.settings;
  const { authorization, writes } = await authorize(deps, start, { caller, now }, enrolmentId);
  const enrolment: Enrolment = {
    enrolmentId,
    tenantId: caller.tenantId,
    userId: start.userId,
    tenantName: caller.requester.tenant,
    ...(start.accountLabel !== undefined && { accountLabel: start.accountLabel }),
    clientId: caller.clientId,
    maxDevices,
    ...(userVerification !== 'off' && { userVerification }),
    expiresAt: now + codeLifetimeMs,
    ...(authorization && { authorization }),
  };
  try {
    await deps.enrolments.create(enrolment, writes);
    return enrolment;
  } catch (error) {
    if (error instanceof ConditionsFailed) throw new ConflictError('used meanwhile', { cause: error });
    throw error;
  }
}

/** A first device needs no authorization. Whether it is the first is checked again when the code is redeemed. */
async function authorize(
  { devices, confirmations }: StartEnrolmentDeps,
  { userId, confirmation }: EnrolmentStart,
  { caller, now }: StartContext,
  enrolmentId: string,
): Promise<AuthorizedChange> {
  if (caller.recovery) return { authorization: { by: 'recovery' }, writes: [] };
  if (caller.settings.furtherDevices !== 'confirm') return { writes: [] };
  const user = { tenantId: caller.tenantId, userId };
  const found = await devices.loadUser(user);
  if (isNew(found)) return { writes: [] };
  const { devices: enrolled, history } = found;
  const recovery = confirmation === undefined ? usableRecovery(history.recovery, now) : undefined;
  if (recovery) return useRecovery(devices, user, found, recovery, now);
  if (enrolled.length === 0) throw furtherDeviceRefused(enrolled);
  const change = { user, devices: enrolled, purpose: 'add-device', use: enrolmentId } as const;
  return await authorizeByConfirmation(confirmations, confirmation, change, now);
}

/** It makes one code. The history's version lets only one of two concurrent calls use it. */
const useRecovery = (
  devices: DeviceStore,
  user: User,
  found: UserRecord,
  recovery: Recovery,
  now: number,
): AuthorizedChange => ({
  authorization: { by: 'recovery', recoveryId: recovery.recoveryId },
  writes: [devices.saveHistory(user, found, { ...found.history, recovery: { ...recovery, usedAt: now } })],
});
