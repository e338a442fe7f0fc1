export type Category = 'public' | 'log';

/** A target, as its tenant sees it. */
export type Export = {
  category: Category;
  destination: unknown;
  state: string;
  since: string;
  reason?: string;
  action?: { who: 'tenant' | 'operator' | 'nobody'; what: string; policy?: unknown };
  accepted: number;
  delivered: number;
  waiting: number;
  /** When the oldest waiting event was accepted. */
  oldestWaitingAt?: string;
  /** Only these types are exported. */
  types?: readonly string[];
  lastTest?: ExportTest | null;
};

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
