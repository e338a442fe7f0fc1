import { defineCommand } from '../command.ts';
import { deviceId, exampleDevice, exampleTenant, tenantId, userIdentifier } from '../ids.ts';
import { yesOption } from '../options.ts';
import type { Session } from '../session.ts';
import { requireTenant } from '../tenants/profile-store.ts';
import { removeByOperator } from './remove-by-operator.ts';

type Options = { tenant: string; user: string; device: string; yes?: true };

export const removeDeviceCommand = defineCommand<Options>({
  name: 'remove',
  description: 'Removes a device, and records the event. An open confirmation on it is cancelled.',
  ids: [tenantId, userIdentifier, deviceId],
  options: [yesOption()],
  examples: [`device remove ${exampleTenant} alice ${exampleDevice} --yes`],
  run: removeDevice,
});

async function removeDevice(session: Session, { tenant, user, device, yes }: Options): Promise<void> {
  const deployment = await session.deployment();
  const { settings } = await requireTenant(deployment, tenant);
  await session.confirm(`Remove the device ${device} of ${user}?`, yes);
  const identity = { tenantId: tenant, userId: user, deviceId: device };
  const removed = await removeByOperator(deployment, identity, settings.furtherDevices);
  session.print({ deviceId: device, removed }, removed ? 'Removed.' : 'The user has no such device.');
}
