import { inCalls, itemsByTenant, type Strategy } from './strategy.ts';

const limits = { records: 500, bytes: 10 * 1024 * 1024 };

/** Each event a record of its own. What PutRecords refused is sent again after the rest, as its documentation says. */
export const onePerRecord: Strategy = {
  name: 'one event a record',
  read: (data) => {
    const { events } = JSON.parse(Buffer.from(data).toString()) as { events: unknown[] };
    return events.map((event) => JSON.stringify(event));
  },
  deliver: async (batch, sink) => {
    const tenants = [...itemsByTenant(batch)].map(async ([tenantId, items]) => {
      let waiting = items.map(({ aggregate, event }) => ({
        partitionKey: aggregate,
        data: Buffer.from(`{"events":[${event}]}`),
      }));
      while (waiting.length > 0) {
        const refused: typeof waiting = [];
        for (const call of inCalls(waiting, limits)) {
          const taken = await sink(tenantId, call).catch(() => call.map(() => false));
          refused.push(...call.filter((_, index) => !taken[index]));
        }
        waiting = refused;
      }
    });
    await Promise.all(tenants);
  },
};
