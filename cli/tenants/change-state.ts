import { ConditionsFailed, transact, type Write } from '../../core/aws/dynamodb-client.ts';
import { eventWrites } from '../../core/events/event-items.ts';
import { resumptionWrites, suspensionWrites } from '../../core/devices/suspension.ts';
import { tenantKeys } from '../../core/tenants/tenant-keys.ts';
import { retryOnConflict } from '../../core/kernel/retry-on-conflict.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { OwnLogType } from '../../core/events/own-events.ts';
import { operatorContext, operatorEvent } from '../operator-events.ts';

type Change = {
  type: OwnLogType;
  description: string;
  update: string;
  condition: string;
  /** Writes the items that tell the tenant's devices. */
  markers: (table: string, tenantId: string) => Write[];
};

const suspend: Change = {
  type: 'TenantSuspendedEvent',
  description: 'An operator suspended the tenant: its clients and devices are shut out',
  update: 'SET suspendedAt = :now',
  condition: 'attribute_not_exists(suspendedAt)',
  markers: suspensionWrites,
};

const resume: Change = {
  type: 'TenantResumedEvent',
  description: 'An operator resumed the tenant: its clients and devices are let in again',
  update: 'REMOVE suspendedAt',
  condition: 'attribute_exists(suspendedAt) AND attribute_not_exists(deletedAt)',
  markers: resumptionWrites,
};

/** A deleted tenant stays suspended. */
const remove: Change = {
  type: 'TenantDeletedEvent',
  description: 'An operator deleted the tenant: its clients, devices and targets are removed',
  update: 'SET deletedAt = :now, suspendedAt = if_not_exists(suspendedAt, :now)',
  condition: 'attribute_not_exists(deletedAt)',
  markers: suspensionWrites,
};

const changes = { suspend, resume, delete: remove };

/**
 * Changes the tenant's profile, the items that its devices read, and its log in one transaction. The caller updates the
 * items of the clients.
 *
 * @returns false if the tenant is already in that state, for example after an attempt whose answer was lost
 */
export async function changeState(
  { clients, tables }: Deployment,
  tenantId: string,
  change: keyof typeof changes,
): Promise<boolean> {
  const { type, description, update, condition, markers } = changes[change];
  const context = operatorContext();
  const event = operatorEvent(
    { tenantId, agent: 'operator', type, description, tag: 'LIFECYCLE', payload: { tenantId } },
    context,
  );
  const profile: Write = {
    Update: {
      TableName: tables.tenants,
      Key: tenantKeys.profile(tenantId),
      UpdateExpression: update,
      ConditionExpression: `attribute_exists(pk) AND ${condition}`,
      ...(update.includes(':now') && { ExpressionAttributeValues: { ':now': context.now } }),
    },
  };
  const recorded = eventWrites(tables.events, {
    tenantId,
    events: [event],
    by: 'service',
    acceptedAt: context.now,
  });
  const writes = [profile, ...markers(tables.devices, tenantId), ...recorded];
  try {
    await retryOnConflict(async () => await transact(clients.dynamodb, writes));
    return true;
  } catch (error) {
    if (error instanceof ConditionsFailed) return false;
    throw error;
  }
}
