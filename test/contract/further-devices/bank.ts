/** A tenant with a rule for further devices, its websites, and its users with what they confirm. */
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { WebsiteClient } from '../../../client/website-client.ts';
import type { FurtherDevicesPolicy } from '../../../core/tenants/further-devices-policy.ts';
import type { ArrivedPush } from '../../../tools/local/client/local-stack.ts';
import { eventsIn, type StoredEvent } from '../../cli/commands/tables.ts';
import { jsonOn } from '../../cli/omi.ts';
import type { TestStack } from '../../support/stack.ts';
import { succeeded } from '../expectations.ts';
import { newNonce, openChallenge, push, pushesTo } from '../scenario.ts';

export type Bank = {
  tenantId: string;
  website: WebsiteClient;
  /** Another client of the tenant, whose tokens have the scope for recovery. */
  helpDesk: WebsiteClient;
  helpDeskCredentials: { clientId: string; clientSecret: string };
};

/** Two clients, as the operator makes them. A test asks a user more often than a website may. */
export async function openBank(stack: TestStack, rule: FurtherDevicesPolicy): Promise<Bank> {
  const json = jsonOn(stack);
  const generous = ['--per-ten-minutes', '100', '--per-day', '100'];
  const { tenantId } = await json<{ tenantId: string }>(
    ...['tenant', 'create', '--name', 'Bank', '--further-devices', rule, ...generous],
  );
  const client = async (name: string, ...scopes: string[]) =>
    await json<Bank['helpDeskCredentials']>(
      ...['client', 'create', '--tenant', tenantId, '--name', name, '--scope', ...scopes],
    );
  const helpDeskCredentials = await client(
    ...(['help desk', 'credential:omi:devices:get', 'credential:omi:devices:delete'] as const),
    ...['credential:omi:enrol:qr:post', 'credential:omi:recovery'],
  );
  const helpDesk = new WebsiteClient({ ...stack.file, ...helpDeskCredentials });
  const website = new WebsiteClient({ ...stack.file, ...(await client('website', 'all')) });
  return { tenantId, website, helpDesk, helpDeskCredentials };
}

export type Purpose = 'add-device' | 'remove-device';

/** What a push says about the change. */
export const changing = (purpose: Purpose, { identity }: SimulatedDevice) =>
  purpose === 'add-device' ? { purpose } : { purpose, subjectDeviceId: identity.deviceId };

/**
 * @param subject which device is removed
 * @returns the nonce of what the user confirmed on the device
 */
export async function confirmedOn(
  { website }: Pick<Bank, 'website'>,
  device: SimulatedDevice,
  purpose?: Purpose,
  subject = device,
): Promise<string> {
  const nonce = newNonce();
  await push(website, device, { nonce, ...(purpose && changing(purpose, subject)) });
  succeeded(await device.confirm(await openChallenge(device)), 200);
  return nonce;
}

/** The service's own event of that type about the device. */
export async function eventAbout(
  stack: TestStack,
  { tenantId }: Pick<Bank, 'tenantId'>,
  { identity }: SimulatedDevice,
  type: string,
): Promise<Pick<StoredEvent, 'payload'> & { version: unknown }> {
  const events = await eventsIn(stack, `${tenantId}#${identity.deviceId}`);
  const found = events.find(({ metadata }) => metadata['type'] === type);
  if (!found) throw new Error(`There is no ${type}`);
  return { version: found.metadata['payloadVersion'], payload: found.payload };
}

/** The notices that reached the phone; the API answers after they were sent, and so they are there. */
export async function noticesTo(stack: TestStack, { description }: SimulatedDevice): Promise<ArrivedPush[]> {
  const arrived = await pushesTo(stack, description.pushToken);
  return arrived.filter(({ payload }) => JSON.stringify(payload).includes('"notice"'));
}
