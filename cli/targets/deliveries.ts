import { Option } from 'commander';
import type { Attempt } from '../../core/export/delivery/attempt.ts';
import { AttemptLog } from '../../core/export/delivery/attempt-log-store.ts';
import { attemptView } from '../../core/export/delivery/attempt-view.ts';
import { defineCommand } from '../command.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { categoryId, exampleTenant, tenantId } from '../ids.ts';
import { numberOption } from '../options.ts';
import type { Session } from '../session.ts';
import { table } from '../text-table.ts';
import { refOf, requireTarget, type TargetOptions } from './target-record.ts';

type Options = TargetOptions & { limit?: number; failed?: true };

const usualLimit = 20;
const longestPage = 100;

export const targetDeliveriesCommand = defineCommand<Options>({
  name: 'deliveries',
  description:
    'Lists the last attempts to deliver events, newest first: of those that failed one a second and lane at most, and one success a minute. They are kept for 3 days.',
  ids: [tenantId, categoryId],
  options: [
    numberOption('--limit <count>', `how many (default: ${usualLimit})`, {
      from: 1,
      to: 10_000,
      example: 100,
    }),
    new Option('--failed', 'only those by which not all events were taken'),
  ],
  examples: [
    `target deliveries ${exampleTenant} public`,
    `target deliveries ${exampleTenant} public --failed --limit 100`,
  ],
  run: listDeliveries,
});

async function listDeliveries(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  const target = await requireTarget(deployment, refOf(options));
  const attempts = (await read(deployment, target, options)).map((one) => attemptView(one, true));
  session.print(
    attempts,
    attempts.length === 0 ? 'There was no attempt in the last 3 days.' : describe(attempts),
  );
}

async function read(
  { clients, tables }: Deployment,
  ref: Parameters<AttemptLog['page']>[0],
  { limit = usualLimit, failed }: Pick<Options, 'limit' | 'failed'>,
): Promise<Attempt[]> {
  const log = new AttemptLog(clients.dynamodb, tables.attempts);
  const found: Attempt[] = [];
  let after: string | undefined;
  do {
    const page = {
      limit: Math.min(longestPage, limit - found.length),
      isFailed: failed === true,
      ...(after !== undefined && { after }),
    };
    const { attempts, cursor } = await log.page(ref, page);
    found.push(...attempts);
    after = cursor;
  } while (after !== undefined && found.length < limit);
  return found;
}

const describe = (attempts: readonly ReturnType<typeof attemptView>[]): string =>
  table(
    ['TIME', 'OUTCOME', 'TOOK', 'LANE', 'EVENTS', 'ERROR', 'ANSWER'],
    attempts.map(({ at, outcome, ms, lane, events, error, answer }) => [
      ...[at, outcome, `${ms} ms`, lane, events.count, error, answer?.slice(0, 80)],
    ]),
  );
