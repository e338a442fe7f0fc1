import { deviceViews } from '../../core/devices/device.ts';
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
  const views = await deviceViews(devices);
  const rows = views.map(({ deviceId, name, platform, status, enrolledAt }) => [
    deviceId,
    name,
    platform,
    status,
    enrolledAt,
  ]);
  session.print(
    { devices: views },
    rows.length === 0 ? 'No devices.' : table(['DEVICE', 'NAME', 'PLATFORM', 'STATUS', 'ENROLLED'], rows),
  );
}
