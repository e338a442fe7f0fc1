/** A tenant whose confirmations may live for a day, several on a device. */
import { WebsiteClient } from '../../../client/website-client.ts';
import { jsonOn } from '../../cli/omi.ts';
import type { TestStack } from '../../support/stack.ts';

/** A test asks a user more often than a website may by default. */
export async function openBank(stack: TestStack, openPerDevice = 20): Promise<WebsiteClient> {
  const json = jsonOn(stack);
  const { tenantId } = await json<{ tenantId: string }>(
    ...['tenant', 'create', '--name', 'Bank with approvals', '--longest-lifetime', '86400'],
    ...['--open-per-device', String(openPerDevice), '--per-ten-minutes', '100', '--per-day', '100'],
  );
  const made = await json<{ clientId: string; clientSecret: string }>(
    ...['client', 'create', '--tenant', tenantId, '--name', 'approvals', '--scope', 'all'],
  );
  return new WebsiteClient({ ...stack.file, ...made });
}
