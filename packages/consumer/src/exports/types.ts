export type Category = 'public' | 'log';

/** A target, as its tenant sees it. */
export type Export = {
  category: Category;
  destination: unknown;
  state: string;
  since: string;
  reason: string;
  /** Identifies the reason. Absent if nothing is wrong. */
  code?: string;
  action?: { who: 'tenant' | 'operator' | 'nobody'; what: string; policy?: unknown };
  accepted: number;
  delivered: number;
  waiting: number;
  /** Since when the oldest waiting event waits. `null`: no event waits. */
  oldestWaitingAt: string | null;
  /** Only these types are exported. `null`: all types. */
  types: readonly string[] | null;
  /** `null`: this destination was never tested. */
  lastTest: ExportTest | null;
  /** Events that replays delivered again. They are not among the accepted and delivered ones. */
  replayed?: number;
  /** Of a bucket: how many of the delivered events are in it. Firehose writes the others within minutes. */
  inBucket?: number;
  givenUp?: readonly GivenUp[];
  /** A note that requires no action. */
  warning?: string;
};

/** Events that did not reach the bucket. A replay of this range of time brings them back. */
export type GivenUp = { from: string; to: string; events?: number; reason: string };

/** The last test of an export, or the one that was asked for since. */
export type ExportTest = {
  outcome: 'waiting' | 'running' | 'passed' | 'failed' | 'postponed';
  requestedAt: string;
  endedAt?: string;
  code?: string;
  reason?: string;
  nextAt?: string;
};

/** A count of events, and the sum modulo 2^256 of the SHA-256 of each id, in hex. */
export type LedgerSum = { count: number; digest: string };

export type LedgerHour = LedgerSum & {
  /** The hour of acceptance, by its begin. */
  hour: string;
  types: Readonly<Record<string, LedgerSum>>;
  /** No event will be added to this hour. */
  final: boolean;
};

export type ReplayRequest = { from: Date; to: Date; types?: readonly string[] };
export type TestOptions = { proof?: string; timeoutMs?: number };
export type Replay = {
  replayId: string;
  state?: 'running' | 'done' | 'failed';
  eventsSent?: number;
  reason?: string;
  [member: string]: unknown;
};
