/** What the page reads of the API's answers. Members that it does not know are ignored. */

export const categories = ['public', 'log'] as const;
export type Category = (typeof categories)[number];

export const states = ['validating', 'active', 'degraded', 'parked', 'paused'] as const;
export type ExportState = (typeof states)[number];

export type Policy = {
  /** Which policy it is: `trustPolicy`, `permissionPolicy`, `bucketPolicy`, `keyPolicy`. */
  document: string;
  /** The statement that is missing or wrong, as it must be. */
  statement: unknown;
  /** The whole policy. */
  whole?: unknown;
};

/** An event as the export would get it. */
export type SampleEvent = { metadata: { type: string; [member: string]: unknown }; payload?: unknown };

/** What a test is told: the text in a bucket, or the type of an event to send. */
export type TestRequest = { proof?: string; type?: string };

export type LastTest = {
  /** The event that it sends, if one was asked for. */
  event?: { type: string; eventId: string };
  requestedAt: string;
  endedAt?: string;
  outcome: 'waiting' | 'running' | 'passed' | 'failed' | 'postponed';
  code?: string;
  reason?: string;
  /** When the service tests again by itself. */
  nextAt?: string;
};

export type Loss = {
  from: string;
  to: string;
  events?: number;
  /** The ids of events that the destination refuses. */
  eventIds?: readonly string[];
  reason: string;
};

export type Export = {
  category: Category;
  destination: { kind: string; [member: string]: unknown };
  state: ExportState;
  since: string;
  reason: string;
  code?: string;
  action?: { who: 'tenant' | 'operator' | 'nobody'; what: string; policy?: Policy };
  accepted: number;
  delivered: number;
  waiting: number;
  /** Only a bucket has it: events that Firehose has written there. */
  inBucket?: number;
  /** Events that Firehose could not write, by the time of their acceptance, until they are replayed or dismissed. */
  givenUp?: { count: number | null; losses: readonly Loss[] };
  oldestWaitingAt: string | null;
  types: readonly string[] | null;
  warning?: string;
  lastTest: LastTest | null;
};

export type Sum = { count: number; digest: string };

export type LedgerHour = Sum & {
  /** The begin of the hour of acceptance. */
  hour: string;
  types: Readonly<Record<string, Sum>>;
  /** No event will be added to this hour. */
  final: boolean;
};

export type Replay = {
  replayId: string;
  state: 'running' | 'done' | 'failed';
  from: string;
  to: string;
  types?: readonly string[] | null;
  eventIds?: readonly string[] | null;
  eventsSent: number;
  /** Processed up to this hour: `2026-11-21T23`, or the time of its begin. */
  cursorHour?: string | null;
  reason?: string;
};

/** Whose exports they are, by its registered name. */
export type Tenant = { tenantId: string; name: string };

/** An attempt to deliver events. */
export type Delivery = {
  at: string;
  ms: number;
  outcome: 'delivered' | 'partly' | 'failed';
  events: { count: number; ids: readonly string[] };
  lane: string;
  status?: number;
  error?: string;
  answer?: string;
};

export type DeliveryPage = { deliveries: readonly Delivery[]; cursor?: string };

export type ReplayRequest =
  | { from: string; to: string; types?: readonly string[]; eventIds?: readonly string[] }
  | { givenUp: true }
  /** One event, whenever it was accepted. */
  | { eventId: string };
