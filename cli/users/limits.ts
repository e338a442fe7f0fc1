import { Option } from 'commander';
import { ConditionsFailed, transact } from '../../core/aws/dynamodb-client.ts';
import type { User } from '../../core/devices/device.ts';
import type { UserRecord } from '../../core/devices/device-store.ts';
import { type LimitView, limitViews } from '../../core/devices/limit-views.ts';
import { closeExpired, pushLimitsOf, resetLimits } from '../../core/devices/push-history.ts';
import { eventWrites } from '../../core/events/event-items.ts';
import { ConflictError } from '../../core/kernel/conflict-error.ts';
import { retryOnConflict } from '../../core/kernel/retry-on-conflict.ts';
import type { TenantSettings } from '../../core/tenants/tenant.ts';
import { CommandError } from '../command-error.ts';
import { defineCommand } from '../command.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { deviceStoreOf } from '../devices/remove-by-operator.ts';
import { exampleTenant, tenantId, userIdentifier } from '../ids.ts';
import { operatorContext, operatorEvent } from '../operator-events.ts';
import type { Session } from '../session.ts';
import { requireTenant } from '../tenants/profile-store.ts';
import { table } from '../text-table.ts';

type Options = { tenant: string; user: string; reset?: true };

export const limitsCommand = defineCommand<Options>({
  name: 'limits',
  description:
    'Shows the push limits of a user: what they have counted, which are reached, and until when. With --reset it clears all but the open ' +
    'confirmations, and records a UserLimitsResetEvent.',
  ids: [tenantId, userIdentifier],
  options: [new Option('--reset', 'clear what is counted: the user can be asked again at once')],
  examples: [`user limits ${exampleTenant} alice`, `user limits ${exampleTenant} alice --reset`],
  run: userLimits,
});

async function userLimits(session: Session, { tenant, user: userId, reset }: Options): Promise<void> {
  const deployment = await session.deployment();
  const { settings } = await requireTenant(deployment, tenant);
  const user = { tenantId: tenant, userId };
  const wasReset = reset && (await resetLimitsOf(deployment, user, settings));
  const limits = limitViews(await requireUser(deployment, user), settings, Date.now());
  const view = { userId, limits, ...(wasReset !== undefined && { reset: wasReset }) };
  session.print(view, describe(limits));
}

async function requireUser(deployment: Deployment, user: User): Promise<UserRecord> {
  const found = await deviceStoreOf(deployment).loadUser(user);
  if (found.version > 0) return found;
  throw new CommandError(
    `The service holds nothing of the user ${user.userId}.`,
    'Check the id of the user.',
  );
}

const describe = (limits: readonly LimitView[]): string =>
  table(
    ['LIMIT', 'DEVICE', 'COUNTED', 'ALLOWED', 'REACHED UNTIL'],
    limits.map(({ limit, deviceId, counted, allowed, reachedUntil }) => [
      limit,
      deviceId ?? 'all',
      counted,
      allowed,
      reachedUntil ?? 'not reached',
    ]),
  );

/** @returns false if nothing was counted, so that nothing is recorded */
async function resetLimitsOf(
  deployment: Deployment,
  user: User,
  { pushLimits }: TenantSettings,
): Promise<boolean> {
  const { clients, tables } = deployment;
  const context = operatorContext();
  const event = operatorEvent(
    {
      tenantId: user.tenantId,
      agent: user.userId,
      type: 'UserLimitsResetEvent',
      description: 'An operator reset the user’s push limits',
      tag: 'LIFECYCLE',
      payload: { userId: user.userId },
    },
    context,
  );
  const recorded = eventWrites(tables.events, {
    tenantId: user.tenantId,
    by: 'service',
    events: [event],
    acceptedAt: context.now,
  });
  return await retryOnConflict(async () => {
    const found = await requireUser(deployment, user);
    const counted = pushLimitsOf(closeExpired(found.history, context.now), pushLimits, context.now);
    if (counted.every((limit) => limit.counted === 0)) return false;
    const history = resetLimits(found.history, context.now);
    try {
      const saved = deviceStoreOf(deployment).saveHistory(user, found, history);
      await transact(clients.dynamodb, [saved, ...recorded]);
    } catch (error) {
      if (!(error instanceof ConditionsFailed)) throw error;
      // With an event of this id the answer of an earlier attempt was lost.
      if (!error.refused.has(1)) throw new ConflictError('the history changed', { cause: error });
    }
    return true;
  });
}
