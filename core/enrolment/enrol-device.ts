import { v7 as uuidv7 } from 'uuid';
import type { FurtherDevicesPolicyStore } from '../tenants/further-devices-policy-store.ts';
import type { DeviceStore } from '../devices/device-store.ts';
import { ConditionsFailed } from '../aws/dynamodb-client.ts';
import type { EnrolmentStore } from './enrolment-store.ts';
import type { Outbox } from '../events/outbox-writer.ts';
import type { PushClient } from '../devices/push/push-client.ts';
import { ConflictError } from '../kernel/conflict-error.ts';
import {
  describeDevice,
  type Device,
  type DeviceDescription,
  type DeviceIdentity,
  type DeviceKey,
} from '../devices/device.ts';
import { confirmationRequired, isStillAuthorized, type Authorization } from './device-changes.ts';
import { enrolmentIdOf, enrolmentStatus, type Enrolment } from './enrolment.ts';
import type { RequestContext } from '../events/event.ts';
import { Refusal } from '../kernel/refusal.ts';
import { deviceRegistered } from './device-events.ts';
import type { FurtherDevicesPolicy } from '../tenants/further-devices-policy.ts';
import { type NewEndpoint, withNewEndpoint } from '../devices/push/new-endpoint.ts';
import { retryOnConflict } from '../kernel/retry-on-conflict.ts';
import { notifyDevices } from '../devices/push/notify-devices.ts';

export type EnrolDeps = {
  enrolments: EnrolmentStore;
  devices: DeviceStore;
  policies: FurtherDevicesPolicyStore;
  outbox: Outbox;
  push: PushClient;
};

export type EnrolmentRequest = {
  code: string;
  key: DeviceKey;
  description: DeviceDescription;
  context: RequestContext;
};

const isSameKey = (a: DeviceKey, b: DeviceKey): boolean => a.x === b.x && a.y === b.y;

/** The answer to a repeated enrolment: the app may not have heard the first. */
function completedBefore(
  { completed, tenantId, userId }: Enrolment,
  key: DeviceKey,
): DeviceIdentity | undefined {
  if (!completed) return undefined;
  if (isSameKey(completed.key, key)) return { deviceId: completed.device.deviceId, tenantId, userId };
  throw new Refusal('enrolment-code-used', 'The code was used by another device.');
}

function newDevice({ tenantId, userId }: Enrolment, request: EnrolmentRequest, endpointArn: string): Device {
  const { description, key, context } = request;
  const identity = { tenantId, userId, deviceId: uuidv7() };
  return { ...identity, ...description, key, status: 'active', enrolledAt: context.now, endpointArn };
}

async function findUsable({ enrolments, devices }: EnrolDeps, code: string, now: number): Promise<Enrolment> {
  const enrolment = await enrolments.find(enrolmentIdOf(code), now);
  // A suspended tenant's code is that of nobody; it is usable again once the tenant is.
  if (!enrolment || (await devices.isSuspended(enrolment)))
    throw new Refusal('enrolment-not-found', 'There is no such enrolment code.');
  if (enrolmentStatus(enrolment, now) !== 'expired') return enrolment;
  throw new Refusal('enrolment-code-expired', 'The enrolment code has expired: ask for a new one.');
}

/** The tenant's rule as it is now: it may have become stricter since the code was made. A first device needs no rule. */
async function policyFor(
  { policies }: EnrolDeps,
  owned: Device[],
  tenantId: string,
): Promise<FurtherDevicesPolicy> {
  return owned.length === 0 ? 'free' : await policies.find(tenantId);
}

/** What allows a further device, where it has to be allowed. When the code was made the user may have had none. */
function authorizationOf(
  { authorization }: Enrolment,
  owned: Device[],
  rule: FurtherDevicesPolicy,
): Authorization | undefined {
  if (rule !== 'confirm') return undefined;
  if (isStillAuthorized(authorization, owned)) return authorization;
  throw confirmationRequired('add-device');
}

async function tryToEnrol(
  deps: EnrolDeps,
  application: EnrolmentRequest,
  { created, used }: NewEndpoint,
): Promise<DeviceIdentity> {
  const { code, key, description, context } = application;
  const enrolment = await findUsable(deps, code, context.now);
  const before = completedBefore(enrolment, key);
  if (before) return before;

  const user = await deps.devices.loadUser(enrolment);
  const rule = await policyFor(deps, user.devices, enrolment.tenantId);
  const authorization = authorizationOf(enrolment, user.devices, rule);
  if (user.devices.length >= enrolment.maxDevices) {
    throw new Refusal('too-many-devices', `The user has ${user.devices.length} devices: remove one first.`);
  }
  const endpointArn = await deps.push.enableEndpoint(description.platform, description.pushToken, created);
  const device = newDevice(enrolment, application, endpointArn);
  try {
    await deps.outbox.commit(
      [
        deps.enrolments.complete(enrolment.enrolmentId, describeDevice(device), key),
        ...deps.devices.add(device),
        // Whoever deletes a tenant suspends it, and then removes its devices: none may come after that.
        deps.devices.requireNotSuspended(device),
        deps.devices.saveHistory(device, user, user.history),
      ],
      [deviceRegistered(device, enrolment.clientId, authorization)],
      context,
    );
  } catch (error) {
    if (error instanceof ConditionsFailed) throw new ConflictError('enrolled meanwhile', { cause: error });
    throw error;
  }
  used();
  if (rule !== 'free') await notifyDevices(deps.push, user.devices, { notice: 'device-added', device });
  return { deviceId: device.deviceId, tenantId: device.tenantId, userId: device.userId };
}

/**
 * Makes a device of whoever holds the code and the key, and tells the user's other devices. A code that could not be used stays
 * usable.
 *
 * @throws {Refusal} {@link ConflictError}
 */
export const enrolDevice = async (deps: EnrolDeps, application: EnrolmentRequest): Promise<DeviceIdentity> =>
  await withNewEndpoint(
    deps.devices,
    async (endpoint) => await retryOnConflict(async () => await tryToEnrol(deps, application, endpoint)),
  );
