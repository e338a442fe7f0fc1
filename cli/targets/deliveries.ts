import type { Attempt } from '../../core/export/delivery/attempt.ts';
import { AttemptLog } from '../../core/export/delivery/attempt-log-store.ts';
import { rfc3339 } from '../../core/kernel/time.ts';
import { defineCommand } from '../command.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { categoryId, exampleTenant, tenantId } from '../ids.ts';
import { numberOption } from '../options.ts';
import type { Session } from '../session.ts';
import { table } from '../text-table.ts';
import { refOf, requireTarget, type TargetOptions } from './target-record.ts';

type Options = TargetOptions & { limit?: number };

const usualLimit = 20;
const longestPage = 100;

export const targetDeliveriesCommand = defineCommand<Options>({
  name: 'deliveries',
  description:
    'Lists the last attempts to deliver events, newest first: each that failed, and one success a minute at most. They are kept for 3 days.',
  ids: [tenantId, categoryId],
  options: [
    numberOption('--limit <count>', `how many (default: ${usualLimit})`, {
      from: 1,
      to: 10_000,
      example: 100,
    }),
  ],
  examples: [
    `target deliveries ${exampleTenant} public`,
    `target deliveries ${exampleTenant} public --limit 100`,
  ],
  run: listDeliveries,
});

async function listDeliveries(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  const target = await requireTarget(deployment, refOf(options));
  const attempts = await read(deployment, target, options.limit ?? usualLimit);
  session.print(
    attempts.map(({ at, ...others }) => ({ at: rfc3339(at), ...others })),
    attempts.length === 0 ? 'There was no attempt in the last 3 days.' : describe(attempts),
  );
}

async function read(
  { clients, tables }: Deployment,
  ref: Parameters<AttemptLog['page']>[0],
  limit: number,
): Promise<Attempt[]> {
  const log = new AttemptLog(clients.dynamodb, tables.attempts);
  const found: Attempt[] = [];
  let after: string | undefined;
  do {
    const page = {
      limit: Math.min(longestPage, limit - found.length),
      ...(after !== undefined && { after }),
    };
    const { attempts, cursor } = await log.page(ref, page);
    found.push(...attempts);
    after = cursor;
  } while (after !== undefined && found.length < limit);
  return found;
}

/** Characters that could steer a terminal are left out: a receiver writes its answer as it likes. */
const printable = (text: string): string => text.replaceAll(/\p{C}+/gu, ' ').trim();

const describe = (attempts: readonly Attempt[]): string =>
  table(
    ['TIME', 'OUTCOME', 'TOOK', 'EVENTS', 'CODE', 'REASON', 'ANSWER'],
    attempts.map(({ at, outcome, durationMs, events, delivered, code, reason, answer }) => [
      ...[
        rfc3339(at),
        outcome,
        `${durationMs} ms`,
        delivered < events ? `${delivered} of ${events}` : events,
      ],
      ...[code, reason && printable(reason), answer && printable(answer).slice(0, 80)],
    ]),
  );
