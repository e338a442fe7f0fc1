import { Option } from 'commander';
import { ConditionsFailed, transact } from '../../core/aws/dynamodb-client.ts';
import type { User } from '../../core/devices/device.ts';
import type { VersionedHistory } from '../../core/devices/push-history-item.ts';
import { emptyHistory } from '../../core/devices/push-history.ts';
import { latestKey } from '../../core/enrolment/enrolment-store.ts';
import type { LogEvent } from '../../core/events/event.ts';
import { eventWrites } from '../../core/events/event-items.ts';
import { isPlace } from '../../core/export/kinds/records.ts';
import { ConflictError } from '../../core/kernel/conflict-error.ts';
import { retryOnConflict } from '../../core/kernel/retry-on-conflict.ts';
import { CommandError } from '../command-error.ts';
import { defineCommand } from '../command.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { deleteItem } from '../deployment/table-client.ts';
import { deviceStoreOf, removeByOperator } from '../devices/remove-by-operator.ts';
import { exampleTenant, tenantId, userIdentifier } from '../ids.ts';
import { operatorContext, operatorEvent } from '../operator-events.ts';
import { yesOption } from '../options.ts';
import type { Session } from '../session.ts';
import { findBefore } from '../targets/target-record.ts';
import { requireTenant } from '../tenants/profile-store.ts';
import { fields } from '../text-table.ts';
import { deleteUserItems } from './delete-user-items.ts';
import { eraseEvents, type ErasedEvents } from './erase-events.ts';

type Options = { tenant: string; user: string; keepEvents?: true; yes?: true };

export const eraseCommand = defineCommand<Options>({
  name: 'erase',
  description:
    'Erases a user: devices (with their events), open enrolments, confirmations, push history and events, and records a UserErasedEvent. ' +
    'None of them has an index by user, so the command reads all confirmations and enrolments of the last two days, and all events of the tenant. ' +
    'Of the events that are erased, the log keeps the hashes. The tenant erases the exported events.',
  ids: [tenantId, userIdentifier],
  options: [
    new Option(
      '--keep-events',
      'leave the events until their 14 days are over: to read them costs capacity of the tables',
    ),
    yesOption(),
  ],
  examples: [`user erase ${exampleTenant} alice --yes`],
  run: eraseUser,
});

/** How many of each were erased. */
type Erasure = { devices: number; enrolments: number; confirmations: number; events: number };

/**
 * The order prevents that anything is created again: without codes no device enrols, and without devices no push is sent.
 * The push history is deleted last, together with the event: while it exists, the command is incomplete and can be run
 * again. A user without a history gets one before anything is deleted, so that the next run knows that this one began.
 */
async function eraseUser(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  await requireTenant(deployment, options.tenant);
  const user = { tenantId: options.tenant, userId: options.user };
  if (!(await tellsTenant(deployment, options.tenant)))
    session.note(
      'No target of the tenant gets the UserErasedEvent, so nothing tells the tenant to erase the exported events. Tell it yourself.',
    );
  await session.confirm(`Erase the user ${user.userId}? This cannot be undone.`, options.yes);
  // Before the devices, whose removal has events that are not in the log yet.
  const { erased: events, open } = options.keepEvents
    ? { erased: 0, open: 0 }
    : await eraseEventsOf(session, deployment, user);
  await deleteItem(deployment.clients.dynamodb, deployment.tables.enrolments, latestKey(user));
  const enrolments = await erase(session, deployment, user, 'enrolments');
  const devices = await removeDevices(session, deployment, user);
  const confirmations = await erase(session, deployment, user, 'confirmations');
  const erasure = { devices, enrolments, confirmations, events };
  const recorded = await record(deployment, user, erasure);
  if (!recorded)
    throw new CommandError(
      `The service holds nothing of the user ${user.userId}.`,
      'Check the id of the user.',
    );
  if (open > 0)
    session.note(
      `${open} events of the last minutes are not in the log yet, and stay. Run the command again in five minutes.`,
    );
  session.print({ userId: user.userId, ...erasure, open, recorded }, fields(erasure));
}

const eraseEventsOf = async (session: Session, deployment: Deployment, user: User): Promise<ErasedEvents> =>
  await eraseEvents(deployment, user, {
    deleting: async () => await markBegun(deployment, user),
    read: (items) => session.note(`${items} events read`),
  });

async function tellsTenant(deployment: Deployment, tenant: string): Promise<boolean> {
  const target = await findBefore(deployment, { tenantId: tenant, category: 'log' });
  if (!target || target === 'malformed' || !isPlace(target.destination)) return false;
  return target.types?.includes('UserErasedEvent') ?? true;
}

async function removeDevices(session: Session, deployment: Deployment, user: User): Promise<number> {
  const { devices } = await deviceStoreOf(deployment).loadUser(user);
  for (const { deviceId } of devices) {
    // All devices are removed, so none is notified.
    await removeByOperator(deployment, { ...user, deviceId }, 'free');
    session.note(`device ${deviceId} removed`);
  }
  return devices.length;
}

const erase = async (
  session: Session,
  deployment: Deployment,
  user: User,
  name: 'enrolments' | 'confirmations',
): Promise<number> =>
  await deleteUserItems(deployment, name, user, {
    deleting: async () => await markBegun(deployment, user),
    read: (items) => session.note(`${items} ${name} read`),
  });

async function markBegun(deployment: Deployment, user: User): Promise<void> {
  const devices = deviceStoreOf(deployment);
  const found = await devices.loadUser(user);
  if (found.version > 0) return;
  try {
    await transact(deployment.clients.dynamodb, [devices.saveHistory(user, found, emptyHistory)]);
  } catch (error) {
    // A concurrent write serves equally well.
    if (!(error instanceof ConditionsFailed)) throw error;
  }
}

/** @returns false if there was nothing to erase, so that nothing is recorded */
async function record(deployment: Deployment, user: User, erasure: Erasure): Promise<boolean> {
  const context = operatorContext();
  const event = operatorEvent(
    {
      tenantId: user.tenantId,
      agent: user.userId,
      type: 'UserErasedEvent',
      description: 'An operator erased what the service held of the user',
      tag: 'PRIVACY',
      payload: { userId: user.userId, ...erasure },
    },
    context,
  );
  return await retryOnConflict(async () => {
    const found = await deviceStoreOf(deployment).loadUser(user);
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
  const forget = found.version === 0 ? [] : [deviceStoreOf(deployment).removeHistory(user, found)];
  const recorded = eventWrites(tables.events, {
    tenantId: user.tenantId,
    events: [event],
    acceptedAt,
    by: 'service',
  });
  try {
    await transact(clients.dynamodb, [...forget, ...recorded]);
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
    // The event is there already: the answer of an earlier attempt was lost.
    if (error.refused.has(forget.length)) return;
    throw new ConflictError('changed meanwhile', { cause: error });
  }
}
