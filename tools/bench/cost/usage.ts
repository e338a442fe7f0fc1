import type { Assumptions } from './assumptions.ts';
import { itemSizes } from './items.ts';
import { logBytes } from './log-lines.ts';
import { costOf, type Quantity, type Region } from './prices.ts';
import type { Request, TableTrip, Trip } from './round-trips.ts';
import {
  batchReadUnits,
  httpApiCalls,
  lambdaGigabyteSeconds,
  messageRequests,
  queryReadUnits,
  transactionWriteUnits,
  writeUnits,
} from './units.ts';

/** Amounts of what AWS bills. */
export type Usage = Partial<Record<Quantity, number>>;

const entriesOf = (usage: Usage) => Object.entries(usage) as [Quantity, number][];

export function sum(usages: readonly Usage[]): Usage {
  const total: Usage = {};
  for (const usage of usages)
    for (const [quantity, amount] of entriesOf(usage)) total[quantity] = (total[quantity] ?? 0) + amount;
  return total;
}

export const times = (factor: number, usage: Usage): Usage =>
  Object.fromEntries(entriesOf(usage).map(([quantity, amount]) => [quantity, factor * amount]));

export const priceOf = (usage: Usage, region: Region): number =>
  entriesOf(usage).reduce((total, [quantity, amount]) => total + costOf(quantity, amount, region), 0);

/** USD for a million times what costs this. */
export const perMillion = (usd: number): string => (usd * 1_000_000).toFixed(2);

/** A call of the API with this many bytes in its answer, without the Lambda. */
export const apiCall = (answerBytes: number, { api }: Assumptions): Usage => ({
  // Only HTTP APIs are billed by size.
  ...(api === 'http' ? { httpApiCalls: httpApiCalls(answerBytes) } : { restApiCalls: 1 }),
  transferBytes: answerBytes,
  logBytes: logBytes.access,
});

export function invocation(milliseconds: number, assumed: Assumptions): Usage {
  const { megabytes, coldStarts, traced, systemLogs } = assumed;
  return {
    lambdaRequests: 1,
    lambdaGigabyteSeconds:
      lambdaGigabyteSeconds(milliseconds, megabytes) +
      coldStarts.share * lambdaGigabyteSeconds(coldStarts.milliseconds, megabytes),
    traces: traced,
    logBytes: systemLogs ? logBytes.invocation : 0,
  };
}

/** The copy of an item in an index is a separate write, which a transaction does not double. */
export function indexWriteUnits(bytes: number, { indexProjection }: Assumptions): number {
  if (indexProjection === 'none') return 0;
  return indexProjection === 'keys' ? 1 : writeUnits(bytes);
}

function trip(one: Trip, assumed: Assumptions): Usage {
  if ('items' in one) return tableTrip(one, assumed);
  switch (one.operation) {
    case 'Publish':
      return { snsRequests: messageRequests(1), snsPushes: 1 };
    case 'SendMessageBatch':
    case 'ChangeMessageVisibilityBatch':
      return { sqsRequests: messageRequests(1) };
    case 'PutRecords':
    case 'PutRecordBatch':
      return {};
  }
}

function tableTrip(one: TableTrip, assumed: Assumptions): Usage {
  const sizes = one.items.map((item) => itemSizes[item]);
  if (one.operation === 'Query') return { dynamoReads: queryReadUnits(sizes) };
  if (one.operation === 'UpdateItem') return sum(sizes.map((size) => ({ dynamoWrites: writeUnits(size) })));
  if (one.operation !== 'TransactWriteItems')
    return { dynamoReads: batchReadUnits(sizes) * (one.isEventual ? 0.5 : 1) };
  const indexed = one.indexed.map((item) => indexWriteUnits(itemSizes[item], assumed));
  return {
    dynamoWrites: transactionWriteUnits(sizes) + indexed.reduce((total, units) => total + units, 0),
  };
}

/** The usage of a Lambda's calls to AWS. */
export const trips = ({ trips: all }: Request, assumed: Assumptions): Usage =>
  sum(all.map((one) => trip(one, assumed)));
