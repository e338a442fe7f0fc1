import { randomUUID } from 'node:crypto';
import { ConfirmationStore } from '../../core/confirmations/confirmation-store.ts';
import { DeviceStore } from '../../core/devices/device-store.ts';
import { Ledger } from '../../core/events/outbox-writer.ts';
import { EndpointRemoval } from '../../core/devices/push/endpoint-removal-client.ts';
import { PushGateway } from '../../core/devices/push/push-client.ts';
import { ReleasedEndpoints } from '../../core/devices/push/released-endpoint-store.ts';
import type { DeviceIdentity } from '../../core/devices/device.ts';
import type { Call, Producer } from '../../core/events/event.ts';
import { Refusal } from '../../core/kernel/refusal.ts';
import type { FurtherDevices } from '../../core/tenants/further-devices.ts';
import { removeDevice } from '../../core/enrolment/remove-device.ts';
import manifest from '../../package.json' with { type: 'json' };
import type { Deployment } from '../deployment/deployment.ts';

/** Who made the events that the commands record. */
export const producer: Producer = { instanceId: 'omi-cli', version: manifest.version };

export const callNow = (): Call => ({ now: Date.now(), origin: { traceId: `cli-${randomUUID()}` } });

export const deviceStore = ({ clients, tables }: Deployment): DeviceStore =>
  new DeviceStore(clients.dynamodb, tables.devices);

/**
 * @param furtherDevices whether the user's other devices are told
 * @returns false where there is no such device
 */
export async function removeByOperator(
  deployment: Deployment,
  device: DeviceIdentity,
  furtherDevices: FurtherDevices,
): Promise<boolean> {
  const { clients, tables } = deployment;
  const devices = deviceStore(deployment);
  const deps = {
    devices,
    released: new ReleasedEndpoints(clients.dynamodb, tables.devices),
    confirmations: new ConfirmationStore(clients.dynamodb, tables.confirmations),
    ledger: new Ledger(clients.dynamodb, tables.events, producer),
    removal: new EndpointRemoval(clients.sns),
    gateway: new PushGateway(clients.sns, {}),
  };
  const missing = new Refusal('device-not-found', 'The user has no such device.');
  const find = async () => {
    const { devices: found, ...history } = await devices.loadUser(device);
    return { ...history, device: found.find(({ deviceId }) => deviceId === device.deviceId) };
  };
  try {
    await removeDevice(deps, {
      find,
      missing,
      furtherDevices: async () => await Promise.resolve(furtherDevices),
      call: callNow(),
    });
    return true;
  } catch (error) {
    if (error === missing) return false;
    throw error;
  }
}
