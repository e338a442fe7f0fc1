/**
 * The tables' keys and streams. `lib/` creates them in the cloud and `tools/local/` on the local stack. Only stores read and
 * write them.
 */
export type TableDefinition = {
  /** Every table has the string partition key `pk`; with this also the string sort key `sk`. */
  sorted: boolean;
  /** Items may carry `ttl`, seconds since 1970, after which DynamoDB deletes them. */
  expires: boolean;
  /** Change stream with new images, or with the images before the change, too. */
  stream?: 'new' | 'new-and-old';
  /** It has the keys of the items, and the attributes that it `copies`. Each copied byte is billed again. */
  index?: { name: string; partitionKey: string; sortKey: string; copies: readonly string[] };
};

export const tables = {
  /** `tenant#user` / `device#id` or `history`; `endpoint#arn` / the device that uses it; `suspension#tenant#shard` / `suspension`. */
  devices: { sorted: true, expires: false },
  /** challenge id. */
  confirmations: { sorted: false, expires: true },
  /** quarter of an hour and shard / time and challenge id: expiries that wait; `partitions` / such a quarter and shard. */
  expiries: { sorted: true, expires: false },
  /** `waiting#kind#client` / challenge id, a callback that waits; `slots#client` / number, a call that is under way; `deliveries#tenant#category` / time, an attempt to deliver events. */
  attempts: { sorted: true, expires: true },
  /** hash of the one-time code. */
  enrolments: { sorted: false, expires: true },
  /** `tenant#id` / `profile`, `logo`, `target#category`, `signals#stream`, `streams#client`, `replay#id`, `replacement#client` or `requests#category`; `client#id` / `client`; `keys` / `use#kid`. */
  tenants: { sorted: true, expires: false, stream: 'new-and-old' },
  /**
   * Outbox: `tenant#aggregate` or `log#tenant#agent` / event id; indexed by tenant, category, acceptor and shard, in order of
   * acceptance. Events of one aggregate that were accepted together are in the first one's item. The index has every
   * event's id and type, but not the events.
   */
  events: {
    sorted: true,
    expires: true,
    stream: 'new',
    index: { name: 'byAcceptance', partitionKey: 'shard', sortKey: 'sequence', copies: ['type', 'ids'] },
  },
  /** `tenant#category` / hour: what has been counted of it, which can be computed again; `rate#tenant#second` / `events`: recorded then. */
  ledger: { sorted: true, expires: true },
  /** stream id / `jti`: a signal that waits to be polled. */
  signals: { sorted: true, expires: true },
  /**
   * The logs: `tenant#category` / `head`, and `head#number` of those that restores have ended; `minutes#log` / minute, `nodes#log` / leaf, which are kept for ever; `leaves#log#minute` / attempt
   * and `leaves#log#minute#page` / attempt, what a minute has; `late#log#minute` / minute, where its late events are;
   * `busy#shard` / minute and log, and `grown` / hour and log, what is still to do.
   */
  log: { sorted: true, expires: true },
} as const satisfies Record<string, TableDefinition>;

export type TableName = keyof typeof tables;
