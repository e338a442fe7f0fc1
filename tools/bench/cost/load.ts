import { eventSources, type EventSource } from '../../../lambdas/event-sources.ts';
import type { TableName } from '../../../core/aws/tables.ts';
import type { Assumptions } from './assumptions.ts';
import { confirmation, total } from './confirmations.ts';
import { itemSizes, ownEventBytes, ownEvents, type ItemName } from './items.ts';
import { exportRequests, requests, type Request, type RequestName } from './round-trips.ts';
import { batchReadUnits, transactionWriteUnits, writeUnits } from './units.ts';
import { indexWriteUnits } from './usage.ts';

/** The demand of one confirmation on everything that has a quota. */
export type Demand = {
  apiCalls: number;
  polls: number;
  lambdaSeconds: number;
  pushes: number;
  writes: Record<TableName, number>;
  reads: Record<TableName, number>;
  indexWrites: number;
  eventBytes: number;
};

const tableOf = (item: ItemName): TableName => {
  if (item.startsWith('confirmation')) return 'confirmations';
  if (item.startsWith('event')) return 'events';
  return item === 'client' || item === 'receiver' || item === 'target' ? 'tenants' : 'devices';
};

const none = (): Record<TableName, number> => ({
  devices: 0,
  confirmations: 0,
  attempts: 0,
  enrolments: 0,
  tenants: 0,
  events: 0,
  expiries: 0,
  ledger: 0,
});

const frequencies = ({
  polls,
  authorizerMisses,
  callbacks,
  batch,
}: Assumptions): Record<RequestName | 'exportToStream', number> => ({
  authorize: (2 + polls) * authorizerMisses,
  list: 1,
  send: 1,
  poll: polls,
  fetch: 1,
  answer: 1,
  alarm: 1,
  callback: callbacks ? 1 : 0,
  exportToStream: ownEvents / batch,
});

const budgets = { ...requests, exportToStream: exportRequests.exportToStream };

type Units = { table: TableName; reads: number; writes: number };

const unitsOf = ({ trips }: Request): Units[] =>
  trips.flatMap((trip) => {
    if (!('items' in trip)) return [];
    return trip.items.map((item): Units => {
      const [table, size] = [tableOf(item), itemSizes[item]];
      if (trip.operation === 'TransactWriteItems')
        return { table, reads: 0, writes: transactionWriteUnits([size]) };
      if (trip.operation === 'UpdateItem') return { table, reads: 0, writes: writeUnits(size) };
      return { table, reads: batchReadUnits([size]) * ('isEventual' in trip ? 0.5 : 1), writes: 0 };
    });
  });

export function demand(assumed: Assumptions): Demand {
  const usage = total(confirmation(assumed));
  const [writes, reads] = [none(), none()];
  for (const [name, frequency] of Object.entries(frequencies(assumed)) as [keyof typeof budgets, number][])
    for (const units of unitsOf(budgets[name])) {
      reads[units.table] += frequency * units.reads;
      writes[units.table] += frequency * units.writes;
    }
  const indexWrites = (['event, sent', 'event, confirmed'] as const)
    .map((item) => indexWriteUnits(itemSizes[item], assumed))
    .reduce((sum, units) => sum + units, 0);
  return {
    apiCalls: usage.httpApiCalls ?? usage.restApiCalls ?? 0,
    polls: assumed.polls,
    lambdaSeconds: (usage.lambdaGigabyteSeconds ?? 0) / (assumed.megabytes / 1_024),
    pushes: usage.snsPushes ?? 0,
    writes,
    reads,
    indexWrites,
    eventBytes: ownEventBytes.reduce((sum, bytes) => sum + bytes, 0),
  };
}

/** Expiry messages that the service can process in a second with its own settings. */
export function alarmsPerSecond({ durations }: Assumptions): number {
  const sources: readonly EventSource[] = eventSources;
  const source = sources.find(({ lambda }) => lambda === 'expire-confirmation');
  if (!source || !('queue' in source)) throw new Error('expire-confirmation is called by no queue');
  return (source.maxConcurrency * source.batchSize * 1_000) / durations.alarm;
}
