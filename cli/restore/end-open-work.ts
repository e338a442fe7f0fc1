import type { TableName } from '../../core/aws/tables.ts';
import { ConfirmationStore, isOfGroup } from '../../core/confirmations/confirmation-store.ts';
import type { Confirmation } from '../../core/confirmations/confirmation.ts';
import { readContext } from '../../core/confirmations/context.ts';
import { cancelGroup } from '../../core/confirmations/groups/end-group.ts';
import { GroupStore } from '../../core/confirmations/groups/group-store.ts';
import { OpenConfirmations } from '../../core/confirmations/open-confirmation-store.ts';
import { endConfirmation, type WithdrawDeps } from '../../core/confirmations/withdraw-confirmation.ts';
import { DeviceStore } from '../../core/devices/device-store.ts';
import { Outbox } from '../../core/events/outbox-writer.ts';
import { mapConcurrent } from '../../core/kernel/map-concurrent.ts';
import { CommandError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { operatorContext, producer } from '../operator-events.ts';
import { OpenWork } from './open-work-store.ts';

/** Transactions at once. */
const atOnce = 20;

/** How many of each were ended. */
export type Ended = { confirmations: number; usable: number; codes: number };

/**
 * Ends what the restored tables show as open. It may have been answered, used or ended between the moment of the restore and
 * the loss, and nothing may happen twice. What is ended has its event and callback, as always.
 *
 * @param tables those that the stage is going to use
 * @param restored which of them were restored
 */
export async function endOpenWork(
  { clients }: Pick<Deployment, 'clients'>,
  tables: Readonly<Record<TableName, string>>,
  restored: ReadonlySet<TableName>,
): Promise<Ended> {
  const work = new OpenWork(clients.dynamodb);
  const ended = { confirmations: 0, usable: 0, codes: 0 };
  if (restored.has('enrolments')) ended.codes = await work.endCodes(tables.enrolments, Date.now());
  if (!restored.has('confirmations')) return ended;
  const deps = {
    confirmations: new ConfirmationStore(clients.dynamodb, tables.confirmations),
    groups: new GroupStore(clients.dynamodb, tables.confirmations),
    devices: new DeviceStore(clients.dynamodb, tables.devices),
    openConfirmations: new OpenConfirmations(clients.dynamodb, tables.devices),
    outbox: new Outbox(clients.dynamodb, tables.events, producer),
  };
  for await (const items of work.confirmations(tables.confirmations))
    await mapConcurrent(items, atOnce, async (item) => {
      if (isOfGroup(item)) {
        if (item['status'] === 'pending') await cancelGroup(deps, String(item['pk']), operatorContext());
        return;
      }
      const confirmation = deps.confirmations.parse(item);
      // A vote ends with its group.
      if (confirmation.groupId !== undefined) return;
      if (confirmation.status === 'pending') {
        await end(deps, confirmation);
        ended.confirmations += 1;
      } else if (await use(work, tables.confirmations, confirmation)) ended.usable += 1;
    });
  return ended;
}

async function end(deps: WithdrawDeps, { challengeId }: Confirmation): Promise<void> {
  await endConfirmation(deps, challengeId, operatorContext(), (found) => {
    if (found) return found;
    throw new CommandError(`The confirmation ${challengeId} is gone: somebody else changes this table.`);
  });
}

/** What a confirmation allows once: the tokens of CIBA, or a change of the user's devices. */
async function use(
  work: OpenWork,
  table: string,
  { challengeId, ciba, context, usedFor }: Confirmation,
): Promise<boolean> {
  if (ciba) return await work.markRedeemed(table, challengeId, Date.now());
  if (usedFor !== undefined || !readContext(context).purpose) return false;
  return await work.markUsed(table, challengeId);
}
