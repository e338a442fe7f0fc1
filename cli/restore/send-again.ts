import { isPlace } from '../../core/export/kinds/records.ts';
import { oldestWaitingAge } from '../../core/export/targets/target-status.ts';
import type { Target } from '../../core/export/targets/target.ts';
import { retention } from '../../core/kernel/retention.ts';
import { hours, seconds } from '../../core/kernel/time.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { scan } from '../deployment/table-client.ts';
import { requestReplay } from '../replays/replay-run.ts';
import { catalogueStoreOf } from '../targets/catalogue-store.ts';

/** What the stream of the events table had not handed over at the moment is sent again, as far back as this. */
export const handedOverWithin = hours;

export type SentAgain = { tenantId: string; category: string; replayId: string };

/**
 * Sends what was accepted in the hour before the moment to its targets again: the old stream is gone with its table, and
 * with what it had not handed over. Consumers drop what they have.
 *
 * @param areQueuesLost what waited for a target is sent again, too
 * @returns the replays that begun now. Those of an earlier run of the command go on
 */
export async function sendAgain(
  deployment: Deployment,
  at: number,
  areQueuesLost: boolean,
): Promise<SentAgain[]> {
  const range = { from: at - handedOverWithin, to: at + seconds };
  const now = Date.now();
  // Tables go back 35 days, and events are kept for 14.
  if (range.to <= now - retention.event) return [];
  const { targets } = await catalogueStoreOf(deployment).all();
  const begun = await begunReplays(deployment, range);
  const sent: SentAgain[] = [];
  for (const target of targets.filter(hasPlace)) {
    const { tenantId, category } = target;
    if (begun.has(`${tenantId} ${category}`)) continue;
    // What waits was accepted before it was parked.
    const parkedSince = areQueuesLost ? now - (oldestWaitingAge(target, now) ?? 0) : now;
    const from = Math.min(range.from, parkedSince - handedOverWithin);
    const replayId = await requestReplay(deployment, { tenantId, category, from, to: range.to });
    sent.push({ tenantId, category, replayId });
  }
  return sent;
}

const hasPlace = ({ destination }: Target): boolean => isPlace(destination);

async function begunReplays(
  { clients, tables }: Deployment,
  { from, to }: { from: number; to: number },
): Promise<Set<string>> {
  const filter = 'begins_with(sk, :replay) AND #from <= :from AND #to = :to';
  const values = { ':replay': 'replay#', ':from': from, ':to': to };
  const items = await scan(clients.dynamodb, tables.tenants, filter, values, {
    '#from': 'from',
    '#to': 'to',
  });
  return new Set(items.map(({ tenantId, category }) => `${String(tenantId)} ${String(category)}`));
}
