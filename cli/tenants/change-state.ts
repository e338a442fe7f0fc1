import { ConditionsFailed, transact, type Write } from '../../core/aws/dynamodb-client.ts';
import { eventWrites } from '../../core/events/event-items.ts';
import { resumptionWrites, suspensionWrites } from '../../core/devices/suspension.ts';
import { tenantKeys } from '../../core/tenants/tenant-keys.ts';
import { retryOnConflict } from '../../core/kernel/retry-on-conflict.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { operatorContext, producer } from '../devices/removal.ts';
import { tenantEvent, type TenantEventType } from './tenant-events.ts';

type Change = {
  type: TenantEventType;
  update: string;
  condition: string;
  /** What the tenant's devices read. */
  markers: (table: string, tenantId: string) => Write[];
};

const suspend: Change = {
  type: 'TenantSuspendedEvent',
  update: 'SET suspendedAt = :now',
  condition: 'attribute_not_exists(suspendedAt)',
  markers: suspensionWrites,
};

const resume: Change = {
  type: 'TenantResumedEvent',
  update: 'REMOVE suspendedAt',
  condition: 'attribute_exists(suspendedAt) AND attribute_not_exists(deletedAt)',
  markers: resumptionWrites,
};

/** A deleted tenant stays suspended. */
const remove: Change = {
  type: 'TenantDeletedEvent',
  update: 'SET deletedAt = :now, suspendedAt = if_not_exists(suspendedAt, :now)',
  condition: 'attribute_not_exists(deletedAt)',
  markers: suspensionWrites,
};

const changes = { suspend, resume, delete: remove };

/**
 * Changes the tenant's profile, the items that its devices read, and its log in one transaction. The clients' items follow.
 *
 * @returns false if the tenant is already in that state, for example after an attempt whose answer was lost
 */
export async function changeState(
  { clients, tables }: Deployment,
  tenantId: string,
  name: keyof typeof changes,
): Promise<boolean> {
  const { type, update, condition, markers } = changes[name];
  const context = operatorContext();
  const event = tenantEvent(tenantId, type, context, producer);
  const profile: Write = {
    Update: {
      TableName: tables.tenants,
      Key: tenantKeys.profile(tenantId),
      UpdateExpression: update,
      ConditionExpression: `attribute_exists(pk) AND ${condition}`,
      ...(update.includes(':now') && { ExpressionAttributeValues: { ':now': context.now } }),
    },
  };
  const recorded = eventWrites(tables.events, { tenantId, events: [event], acceptedAt: context.now });
  const writes = [profile, ...markers(tables.devices, tenantId), ...recorded];
  try {
    await retryOnConflict(async () => await transact(clients.dynamodb, writes));
    return true;
  } catch (error) {
    if (error instanceof ConditionsFailed) return false;
    throw error;
  }
}
