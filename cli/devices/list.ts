import { type Device, deviceViews } from '../../core/devices/device.ts';
import { defineCommand } from '../command.ts';
import { exampleTenant, tenantId, userIdentifier } from '../ids.ts';
import type { Session } from '../session.ts';
import { requireTenant } from '../tenants/profile-store.ts';
import { table } from '../text-table.ts';
import { deviceStoreOf } from './remove-by-operator.ts';

type Options = { tenant: string; user: string };

export const listDevicesCommand = defineCommand<Options>({
  name: 'list',
  description: 'Lists the devices of a user, the newest first.',
  ids: [tenantId, userIdentifier],
  examples: [`device list ${exampleTenant} alice --json`],
  run: listDevices,
});

async function listDevices(session: Session, { tenant, user }: Options): Promise<void> {
  const deployment = await session.deployment();
  await requireTenant(deployment, tenant);
  const { devices } = await deviceStoreOf(deployment).loadUser({ tenantId: tenant, userId: user });
  const byId = new Map(devices.map((device) => [device.deviceId, device]));
  const views = deviceViews(devices).map((view) => ({
    ...view,
    ...passkeyView(byId.get(view.deviceId)),
  }));
  const rows = views.map(({ deviceId, name, platform, status, enrolledAt, ...passkey }) => [
    deviceId,
    name,
    platform,
    status,
    describePasskey(passkey),
    enrolledAt,
  ]);
  const columns = ['DEVICE', 'NAME', 'PLATFORM', 'STATUS', 'PASSKEY', 'ENROLLED'];
  session.print({ devices: views }, rows.length === 0 ? 'No devices.' : table(columns, rows));
}

type PasskeyView = { passkey: boolean; passkeySynced?: boolean };

const passkeyView = ({ passkey, passkeySynced }: Partial<Device> = {}): PasskeyView =>
  passkey ? { passkey: true, passkeySynced: passkeySynced ?? false } : { passkey: false };

function describePasskey({ passkey, passkeySynced }: PasskeyView): string {
  if (!passkey) return 'none';
  return passkeySynced ? 'synced' : 'on the device';
}
