import type { TableName } from '../../core/aws/tables.ts';
import { LogStore } from '../../core/export/log/log-store.ts';
import { mapConcurrent } from '../../core/kernel/map-concurrent.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { tenantRefs } from './tenant-refs.ts';

const logsAtOnce = 20;

/**
 * Ends the logs as the restored table has them. What they had since the moment is lost, and tenants have checkpoints of it, so no
 * log may grow differently under the same name. The service begins the next log of each when it is needed.
 *
 * @param tables those that the stage is going to use
 * @param replaced the table that is replaced. Missing if it was deleted: what it had last is what was restored
 * @returns how many logs were ended
 */
export async function endLogs(
  clients: Deployment['clients'],
  tables: Readonly<Record<TableName, string>>,
  replaced: string | undefined,
): Promise<number> {
  const restored = new LogStore(clients.dynamodb, tables.log);
  const before = new LogStore(clients.dynamodb, replaced ?? tables.log);
  const refs = await tenantRefs({ clients, tables });
  await mapConcurrent(refs, logsAtOnce, async (ref) => {
    const [head, last] = await Promise.all([restored.head(ref), before.head(ref)]);
    // Another restore, to a moment before the last one, must not begin the same log again.
    await restored.end(head, Math.max(head.log.generation, last.log.generation) + 1);
  });
  return refs.length;
}
