import { deviceViews } from '../../core/devices/device.ts';
import type { Session } from '../session.ts';
import { requireTenant } from '../tenants/directory-of.ts';
import { table } from '../text-table.ts';
import { deviceStore } from './removal.ts';

export async function listDevices(
  session: Session,
  { tenant, user }: { tenant: string; user: string },
): Promise<void> {
  const deployment = await session.deployment();
  await requireTenant(deployment, tenant);
  const { devices } = await deviceStore(deployment).loadUser({ tenantId: tenant, userId: user });
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
