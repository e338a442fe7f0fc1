import { Option } from 'commander';
import { attemptCursor, AttemptLog } from '../../core/export/delivery/attempt-log-store.ts';
import { attemptView } from '../../core/export/delivery/attempt-view.ts';
import { defineCommand } from '../command.ts';
import { categoryId, exampleTenant, tenantId } from '../ids.ts';
import { cursorOption, pageText } from '../list-page.ts';
import { numberOption } from '../options.ts';
import type { Session } from '../session.ts';
import { table } from '../text-table.ts';
import { refOf, requireTarget, type TargetOptions } from './target-record.ts';

type Options = TargetOptions & { limit: number; cursor?: string; failed?: true };

export const targetDeliveriesCommand = defineCommand<Options>({
  name: 'deliveries',
  description:
    'Lists the last attempts to deliver events, newest first: of those that failed one a second and lane at most, and one success a minute. They are kept for 3 days.',
  ids: [tenantId, categoryId],
  options: [
    numberOption('--limit <count>', 'at most so many', { from: 1, to: 100, example: 100 }).default(20),
    cursorOption(attemptCursor),
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
  const { clients, tables } = deployment;
  const log = new AttemptLog(clients.dynamodb, tables.attempts);
  const { limit, cursor: after, failed: isFailed = false } = options;
  const page = { limit, isFailed, ...(after !== undefined && { after }) };
  const { attempts, ...next } = await log.page(target, page);
  const deliveries = attempts.map((one) => attemptView(one, true));
  session.print({ deliveries, ...next }, pageText([describe(deliveries)], next.cursor));
}

const describe = (attempts: readonly ReturnType<typeof attemptView>[]): string =>
  attempts.length === 0
    ? 'There was no attempt in the last 3 days.'
    : table(
        ['TIME', 'OUTCOME', 'TOOK', 'LANE', 'EVENTS', 'ERROR', 'ANSWER'],
        attempts.map(({ at, outcome, ms, lane, events, error, answer }) => [
          ...[at, outcome, `${ms} ms`, lane, events.count, error, answer?.slice(0, 80)],
        ]),
      );
