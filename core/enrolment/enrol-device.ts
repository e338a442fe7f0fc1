import { v7 as uuidv7 } from 'uuid';
import type { FurtherDevicesPolicyStore } from '../tenants/further-devices-policy-store.ts';
import type { DeviceStore, UserRecord } from '../devices/device-store.ts';
import { ConditionsFailed } from '../aws/dynamodb-client.ts';
import type { EnrolmentStore } from './enrolment-store.ts';
import type { Outbox } from '../events/outbox-writer.ts';
import type { PushChannels } from '../devices/push/push-channels.ts';
import { ConflictError } from '../kernel/conflict-error.ts';
import {
  type Device,
  type DeviceDescription,
  type DeviceIdentity,
  type NativeDevice,
  type WebDevice,
} from '../devices/device.ts';
import type { DeviceKey } from '../devices/device-key.ts';
import type { PushHistory } from '../devices/push-history.ts';
import { furtherDeviceRefused, isNew, isStillAuthorized, type Authorization } from './device-changes.ts';
import { type Enrolment, labelWith } from './enrolment.ts';
import { codeUsed, findEnrolment } from './find-enrolment.ts';
import type { RequestContext } from '../events/event.ts';
import { Refusal } from '../kernel/refusal.ts';
import { userSuspended } from '../devices/user-suspended.ts';
import { deviceRegistered } from './device-events.ts';
import { fromStoredJws } from '../devices/protocol/stored-jws.ts';
import { signReceipt, type ReceiptDeps } from './receipt.ts';
import type { FurtherDevicesPolicy, FurtherDevicesRule } from '../tenants/further-devices-policy.ts';
import { type NewEndpoint, withNewEndpoint } from '../devices/push/new-endpoint.ts';
import { retryOnConflict } from '../kernel/retry-on-conflict.ts';
import { notifyDevices } from '../devices/push/notify-devices.ts';
import type { RelyingParty } from '../devices/passkeys/passkey.ts';
import { verifyRegistration, type Registration } from '../devices/passkeys/registration.ts';
import { verificationRequired } from '../devices/passkeys/verification-failed.ts';

export type EnrolDeps = ReceiptDeps & {
  enrolments: EnrolmentStore;
  devices: DeviceStore;
  policies: FurtherDevicesPolicyStore;
  outbox: Outbox;
  push: PushChannels;
  relyingParty: RelyingParty;
};

export type EnrolmentRequest = {
  code: string;
  key: DeviceKey;
  description: DeviceDescription;
  passkey: Registration | undefined;
  context: RequestContext;
};

/** What the app gets from its enrolment: the receipt, and the names to show. */
export type EnrolledDevice = DeviceIdentity & { tenant: string; account?: string; receipt: string };

/**
 * Makes a device of the app that has the code and the key, and notifies the user's other devices. A code stays usable until
 * an enrolment succeeds.
 *
 * @throws {Refusal} {@link ConflictError}
 */
export const enrolDevice = async (deps: EnrolDeps, request: EnrolmentRequest): Promise<EnrolledDevice> =>
  await withNewEndpoint(
    deps.devices,
    async (endpoint) => await retryOnConflict(async () => await attempt(deps, request, endpoint)),
  );

async function attempt(
  deps: EnrolDeps,
  request: EnrolmentRequest,
  { created, used }: NewEndpoint,
): Promise<EnrolledDevice> {
  const { code, key, passkey, context } = request;
  const enrolment = await findEnrolment(deps, code, context.now);
  const existing = existingDevice(enrolment, key);
  if (existing) return enrolledView(enrolment, existing, await deps.devices.findHistory(enrolment));
  const verifier = verifierOf(deps, enrolment, code, passkey);

  const user = await deps.devices.loadUser(enrolment);
  if (user.history.suspendedAt !== undefined) throw userSuspended();
  const { policy, tenantName } = await ruleFor(deps, user, enrolment.tenantId);
  const authorization = authorizationOf(enrolment, user, policy);
  checkNumberOfDevices(enrolment, user.devices);
  const unsigned = { ...(await newDevice(deps, enrolment, request, created)), ...verifier };
  const isFirst = isNew(user);
  const { clientId } = enrolment;
  // Before the transaction: without a receipt there is no device, and the code stays usable.
  const receipt = await signReceipt(deps, { device: unsigned, clientId, isFirst, policy, authorization });
  const device: Device = { ...unsigned, receipt };
  await commit(deps, { enrolment, user, device, authorization }, context);
  used();
  if (policy !== 'free')
    await notifyDevices(deps.push, user.devices, { notice: 'device-added', device, tenantName });
  return enrolledView(enrolment, device, labelWith(enrolment, user.history));
}

/** The device of a repeated request, whose first response may be lost. */
function existingDevice({ completed }: Enrolment, key: DeviceKey): IssuedDevice | undefined {
  if (!completed) return undefined;
  if (isSameKey(completed.key, key))
    return { deviceId: completed.device.deviceId, receipt: completed.receipt };
  throw codeUsed();
}

type IssuedDevice = Pick<Device, 'deviceId' | 'receipt'>;

const enrolledView = (
  enrolment: Enrolment,
  { deviceId, receipt }: IssuedDevice,
  { accountLabel }: Pick<PushHistory, 'accountLabel'>,
): EnrolledDevice => ({
  ...identityOf(enrolment, deviceId),
  receipt: fromStoredJws(receipt),
  tenant: enrolment.tenantName,
  ...(accountLabel !== undefined && { account: accountLabel }),
});

/** What verifies the device's user from now on. */
function verifierOf(
  { relyingParty }: EnrolDeps,
  { userVerification: mode }: Enrolment,
  code: string,
  passkey: Registration | undefined,
): Pick<Device, 'passkey' | 'passkeySynced'> {
  if (passkey) return verifyRegistration(passkey, code, relyingParty);
  if (mode !== 'required') return {};
  throw verificationRequired('Expected the claim passkey: a passkey that was created for this enrolment.');
}

const isSameKey = (a: DeviceKey, b: DeviceKey): boolean => a.x === b.x && a.y === b.y;

const identityOf = ({ tenantId, userId }: Enrolment, deviceId: string): DeviceIdentity => ({
  deviceId,
  tenantId,
  userId,
});

/** The tenant's current policy, which may be stricter than when the code was made. It does not apply to a first device. */
async function ruleFor(
  { policies }: EnrolDeps,
  user: UserRecord,
  tenantId: string,
): Promise<FurtherDevicesRule> {
  return isNew(user) ? { policy: 'free', tenantName: undefined } : await policies.find(tenantId);
}

/** Checked again here: the user may have had no device, or another one, when the code was made. */
function authorizationOf(
  { authorization }: Enrolment,
  user: UserRecord,
  policy: FurtherDevicesPolicy,
): Authorization | undefined {
  if (policy !== 'confirm') return undefined;
  if (isStillAuthorized(authorization, user)) return authorization;
  throw furtherDeviceRefused(user.devices);
}

function checkNumberOfDevices({ maxDevices }: Enrolment, { length }: Device[]): void {
  if (length < maxDevices) return;
  throw new Refusal('too-many-devices', `The user has ${length} devices: remove one first.`);
}

/** A device before its receipt was signed. */
type UnsignedDevice = Omit<NativeDevice, 'receipt'> | Omit<WebDevice, 'receipt'>;

async function newDevice(
  { push }: EnrolDeps,
  enrolment: Enrolment,
  { description, key, context }: EnrolmentRequest,
  created: NewEndpoint['created'],
): Promise<UnsignedDevice> {
  const enrolled = {
    ...identityOf(enrolment, uuidv7()),
    key,
    status: 'active',
    enrolledAt: context.now,
  } as const;
  if (description.platform === 'web') return { ...enrolled, ...description };
  const endpointArn = await push.native.enableEndpoint(description.platform, description.pushToken, created);
  return { ...enrolled, ...description, endpointArn };
}

type Enrolled = {
  enrolment: Enrolment;
  user: UserRecord;
  device: Device;
  authorization: Authorization | undefined;
};

async function commit(
  { outbox, enrolments, devices }: EnrolDeps,
  { enrolment, user, device, authorization }: Enrolled,
  context: RequestContext,
): Promise<void> {
  try {
    await outbox.commit(
      [
        enrolments.complete(enrolment.enrolmentId, device),
        ...devices.add(device),
        // Deleting a tenant suspends it first and then removes its devices, so none may be added after that.
        devices.requireNotSuspended(device),
        devices.saveHistory(device, user, {
          ...user.history,
          ...labelWith(enrolment, user.history),
          hadDevice: true,
        }),
      ],
      [deviceRegistered(device, enrolment.clientId, authorization)],
      context,
    );
  } catch (error) {
    if (error instanceof ConditionsFailed) throw new ConflictError('enrolled meanwhile', { cause: error });
    throw error;
  }
}
