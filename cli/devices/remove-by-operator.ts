import { ConfirmationStore } from '../../core/confirmations/confirmation-store.ts';
import { GroupStore } from '../../core/confirmations/groups/group-store.ts';
import { DeviceStore } from '../../core/devices/device-store.ts';
import { Outbox } from '../../core/events/outbox-writer.ts';
import { EndpointClient } from '../../core/devices/push/endpoint-client.ts';
import { PushClient } from '../../core/devices/push/push-client.ts';
import type { PushChannels } from '../../core/devices/push/push-channels.ts';
import { ReleasedEndpointStore } from '../../core/devices/push/released-endpoint-store.ts';
import type { DeviceIdentity } from '../../core/devices/device.ts';
import { Refusal } from '../../core/kernel/refusal.ts';
import type { FurtherDevicesPolicy } from '../../core/tenants/further-devices-policy.ts';
import { removeDevice } from '../../core/enrolment/remove-device.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { operatorContext, producer } from '../operator-events.ts';

export const deviceStoreOf = ({ clients, tables }: Deployment): DeviceStore =>
  new DeviceStore(clients.dynamodb, tables.devices);

/** The operator cannot read the VAPID key, so browsers learn of the removal when they next ask. */
const noWebPush: PushChannels['web'] = {
  send: async () => await Promise.resolve({ delivery: 'failed', fault: { name: 'NoVapidKey' } }),
};

/**
 * Removes a device, with its event. An open confirmation on it is cancelled.
 *
 * @param furtherDevices whether the user's other devices are notified
 * @returns false if there is no such device
 */
export async function removeByOperator(
  deployment: Deployment,
  device: DeviceIdentity,
  furtherDevices: FurtherDevicesPolicy,
): Promise<boolean> {
  const { clients, tables } = deployment;
  const devices = deviceStoreOf(deployment);
  const deps = {
    devices,
    released: new ReleasedEndpointStore(clients.dynamodb, tables.devices),
    confirmations: new ConfirmationStore(clients.dynamodb, tables.confirmations),
    groups: new GroupStore(clients.dynamodb, tables.confirmations),
    outbox: new Outbox(clients.dynamodb, tables.events, producer),
    endpoints: new EndpointClient(clients.sns),
    push: { native: new PushClient(clients.sns, {}), web: noWebPush },
  };
  const notFound = new Refusal('device-not-found', 'The user has no such device.');
  const find = async () => {
    const { devices: found, ...history } = await devices.loadUser(device);
    return { ...history, device: found.find(({ deviceId }) => deviceId === device.deviceId) };
  };
  try {
    await removeDevice(deps, {
      find,
      notFound,
      findRule: async () => await Promise.resolve({ policy: furtherDevices, tenantName: undefined }),
      context: operatorContext(),
    });
    return true;
  } catch (error) {
    if (error === notFound) return false;
    throw error;
  }
}
