import { deliverByTenant, readEvents, type Strategy } from './strategy.ts';

/** Each event is a record. Records that PutRecords refused are sent again after the others, as its documentation says. */
export const onePerRecord: Strategy = {
  name: 'one event a record',
  read: readEvents,
  deliver: async (batch, sink) => {
    await deliverByTenant(batch, sink, (items) =>
      items.map(({ aggregate, event }) => ({
        partitionKey: aggregate,
        data: Buffer.from(`{"events":[${event}]}`),
      })),
    );
  },
};
