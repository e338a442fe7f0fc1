import type { VersionedHistory } from '../../core/devices/push-history-item.ts';
import { ConditionsFailed, transact } from '../../core/aws/dynamodb-client.ts';
import { eventWrites } from '../../core/events/event-items.ts';
import { ConflictError } from '../../core/kernel/conflict-error.ts';
import type { User } from '../../core/devices/device.ts';
import type { LogEvent } from '../../core/events/event.ts';
import { emptyHistory } from '../../core/devices/push-history.ts';
import { retryOnConflict } from '../../core/kernel/retry-on-conflict.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { operatorContext, deviceStore, producer, removeByOperator } from '../devices/removal.ts';
import type { Session } from '../session.ts';
import { requireTenant } from '../tenants/directory-of.ts';
import { fields } from '../text-table.ts';
import { type Erasure, userErased } from './erased-event.ts';
import { deleteTraces, type TracedTable } from './user-items-store.ts';

type Options = { tenant: string; user: string; yes?: true };

/**
 * In an order in which nothing comes back: without codes no device enrols, without devices nobody is asked. The push
 * history goes last, together with the event: while it is there the command was not done, and may be run again. Who has
 * none gets one before anything is deleted: wherever the command breaks off, the next one knows that it began.
 */
export async function eraseUser(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  await requireTenant(deployment, options.tenant);
  const user = { tenantId: options.tenant, userId: options.user };
  await session.confirm(`Erase the user ${user.userId}? This cannot be undone.`, options.yes);
  const enrolments = await erase(session, deployment, user, 'enrolments');
  const devices = await removeDevices(session, deployment, user);
  const confirmations = await erase(session, deployment, user, 'confirmations');
  const erasure = { devices, enrolments, confirmations };
  const recorded = await record(deployment, user, erasure);
  session.print({ userId: user.userId, ...erasure, recorded }, describe(erasure, recorded));
}

async function removeDevices(session: Session, deployment: Deployment, user: User): Promise<number> {
  const { devices } = await deviceStore(deployment).loadUser(user);
  for (const { deviceId } of devices) {
    // All of them go: there is nobody to tell.
    await removeByOperator(deployment, { ...user, deviceId }, 'free');
    session.note(`device ${deviceId} removed`);
  }
  return devices.length;
}

const userFields = {
  confirmations: { tenantId: 'tenantId', userId: 'userId' },
  enrolments: { tenantId: 'enrolment.tenantId', userId: 'enrolment.userId' },
} as const;

async function erase(
  session: Session,
  deployment: Deployment,
  user: User,
  name: keyof typeof userFields,
): Promise<number> {
  const { clients, tables } = deployment;
  const traced: TracedTable = { table: tables[name], ...userFields[name] };
  return await deleteTraces(clients.dynamodb, traced, user, {
    deleting: async () => await markBegun(deployment, user),
    looked: (items) => session.note(`${items} ${name} looked through`),
  });
}

async function markBegun(deployment: Deployment, user: User): Promise<void> {
  const devices = deviceStore(deployment);
  const found = await devices.loadUser(user);
  if (found.version > 0) return;
  try {
    await transact(deployment.clients.dynamodb, [devices.saveHistory(user, found, emptyHistory)]);
  } catch (error) {
    // Somebody else's, of this moment, does as well.
    if (!(error instanceof ConditionsFailed)) throw error;
  }
}

/** @returns false where there was nothing left of the user, so that nothing happened */
async function record(deployment: Deployment, user: User, erasure: Erasure): Promise<boolean> {
  const context = operatorContext();
  const event = userErased(user, erasure, context, producer);
  return await retryOnConflict(async () => {
    const found = await deviceStore(deployment).loadUser(user);
    const isNothing = found.version === 0 && Object.values(erasure).every((count) => count === 0);
    if (!isNothing) await commit(deployment, user, found, { event, acceptedAt: context.now });
    return !isNothing;
  });
}

type Recording = { event: LogEvent; acceptedAt: number };

async function commit(
  deployment: Deployment,
  user: User,
  found: VersionedHistory,
  { event, acceptedAt }: Recording,
): Promise<void> {
  const { clients, tables } = deployment;
  const forget = found.version === 0 ? [] : [deviceStore(deployment).removeHistory(user, found)];
  const { tenantId } = user;
  const recorded = eventWrites(tables.events, { tenantId, events: [event], acceptedAt });
  try {
    await transact(clients.dynamodb, [...forget, ...recorded]);
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
    // Its own, of a try whose answer was lost.
    if (error.refused.has(forget.length)) return;
    throw new ConflictError('changed meanwhile', { cause: error });
  }
}

const describe = (erasure: Erasure, recorded: boolean): string =>
  recorded ? fields(erasure) : 'There was nothing left of this user.';
