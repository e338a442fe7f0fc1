import { expect } from '@jest/globals';
import { jsonOn } from '../../cli/omi.ts';
import { eventsIn } from '../../cli/commands/tables.ts';
import { WebsiteClient } from '../../../client/website-client.ts';
import type { TestStack } from '../../support/stack.ts';
import { type MemberName, StaffCaller } from '../../support/staff.ts';

/** The help desk of a stack: an operator, and the support of the demo's tenant. */
export type Desk = { olga: StaffCaller; sam: StaffCaller; demoTenant: string; neighbourTenant: string };

export async function openDesk({ file }: TestStack): Promise<Desk> {
  const [demo, neighbour] = file.tenants;
  return {
    olga: await StaffCaller.of(file, 'olga'),
    sam: await StaffCaller.of(file, 'sam'),
    demoTenant: demo.tenantId,
    neighbourTenant: neighbour.tenantId,
  };
}

/** A tenant whose further devices need a confirmation, with a website that may not do without. */
export async function openShop(stack: TestStack, ...settings: string[]) {
  const json = jsonOn(stack);
  const { tenantId } = await json<{ tenantId: string }>(
    ...['tenant', 'create', '--name', 'Shop', '--further-devices', 'confirm', ...settings],
  );
  const made = await json<{ clientId: string; clientSecret: string }>(
    ...['client', 'create', '--tenant', tenantId, '--name', 'website', '--scope', 'all'],
  );
  return { tenantId, website: new WebsiteClient({ ...stack.file, ...made }) };
}

/** What a member has done to a user of a tenant: the types of its events, in their order. */
export async function actsOf(
  stack: TestStack,
  { tenantId, userId }: { tenantId: string; userId?: string },
  member: MemberName,
): Promise<string[]> {
  const events = await eventsIn(stack, `log#${tenantId}#${member}`);
  const its = events.filter(({ payload }) => userId === undefined || payload['userId'] === userId);
  for (const { metadata, payload } of its)
    expect({ metadata, payload }).toMatchObject({
      metadata: { agent: member, category: 'log', tenantId, producerId: 'omi' },
      payload: { memberId: member },
    });
  return its.map(({ metadata }) => String(metadata['type']));
}

export const userPath = (userId: string, tenantId: string): string =>
  `/users/${encodeURIComponent(userId)}?tenantId=${tenantId}`;
