import type { Session } from '../session.ts';
import { requireTenant } from '../tenants/directory-of.ts';
import { removeByOperator } from './removal.ts';

type Options = { tenant: string; user: string; device: string; yes?: true };

export async function removeOne(session: Session, { tenant, user, device, yes }: Options): Promise<void> {
  const deployment = await session.deployment();
  const { settings } = await requireTenant(deployment, tenant);
  await session.confirm(`Remove the device ${device} of ${user}?`, yes);
  const identity = { tenantId: tenant, userId: user, deviceId: device };
  const removed = await removeByOperator(deployment, identity, settings.furtherDevices);
  session.print({ deviceId: device, removed }, removed ? 'Removed.' : 'The user has no such device.');
}
