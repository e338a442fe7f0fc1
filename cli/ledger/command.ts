import { EventIndexStore } from '../../core/events/event-index-store.ts';
import { LedgerStore } from '../../core/export/ledger/ledger-store.ts';
import { readLedger } from '../../core/export/ledger/read-ledger.ts';
import { hours } from '../../core/kernel/time.ts';
import { UsageError } from '../command-error.ts';
import { topCommand } from '../command.ts';
import { categoryId, exampleTenant, tenantId } from '../ids.ts';
import type { Session } from '../session.ts';
import { refOf, type TargetOptions } from '../targets/target-record.ts';
import { requireTenant } from '../tenants/profile-store.ts';
import { table } from '../text-table.ts';
import { timeOption } from '../time-option.ts';

type Options = TargetOptions & { from: number; to: number };

export const ledgerCommand = topCommand<Options>({
  ids: [tenantId, categoryId],
  options: [
    timeOption('--from <time>', 'first time of acceptance'),
    timeOption('--to <time>', 'end of the range, not included'),
  ],
  examples: [`ledger ${exampleTenant} public --from 2026-03-01T08:00:00Z --to 2026-03-01T10:00:00Z`],
  run: showLedger,
});

/** Nobody waits for an answer of API Gateway here. */
const patienceMs = hours;

async function showLedger(session: Session, options: Options): Promise<void> {
  const { from, to } = options;
  if (from >= to) throw new UsageError('The time range is empty: --to must be later than --from.');
  const deployment = await session.deployment();
  await requireTenant(deployment, options.tenant);
  const { clients, tables } = deployment;
  const deps = {
    index: new EventIndexStore(clients.dynamodb, tables.events),
    ledger: new LedgerStore(clients.dynamodb, tables.ledger),
  };
  const now = Date.now();
  const found = await readLedger(deps, refOf(options), { from, to }, now, now + patienceMs);
  const rows = found.map(({ hour, count, digest, final }) => [hour, count, final ? 'final' : 'open', digest]);
  const { tenant, category } = options;
  session.print(
    { tenantId: tenant, category, hours: found },
    table(['hour', 'events', 'state', 'digest'], rows),
  );
}
