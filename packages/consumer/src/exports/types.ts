import type { Event } from '../event.ts';

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
  /** Only a bucket has it: how many of the delivered events are in it. Firehose writes the others within minutes. */
  inBucket?: number;
  givenUp?: GivenUp;
  /** A note that requires no action. */
  warning?: string;
  /** If they were asked for: an event of each type that the export has. */
  samples?: readonly Event[];
};

/** Events that did not arrive. A replay with `givenUp: true` brings back those that the destination does not refuse. */
export type GivenUp = {
  /** `null`: nobody knows how many they are. */
  count: number | null;
  /** Times of acceptance. */
  since: string;
  until: string;
  /** By cause, with the time range of the replay that brings them back. `eventIds`: the last ones that the destination refused. */
  losses: readonly {
    from: string;
    to: string;
    events?: number;
    eventIds?: readonly string[];
    reason: string;
  }[];
};

/** The last test of an export, or the one that was asked for since. */
export type ExportTest = {
  /** The event that the test sends, if one was asked for. */
  event?: { type: string; eventId: string };
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

/** A batch of the log: the events of a minute, and late ones of earlier minutes. */
export type LogMinute = {
  /** Its begin. */
  minute: string;
  count: number;
  /** In base64. */
  root: string;
  /** Its position in the tree. */
  leafIndex: number;
};

/** A leaf of a minute. Of an erased event only the hash of the leaf is left, in base64. */
export type LogLeaf = { eventId: string; digest: string } | { hash: string };

/** Hashes in base64, from the bottom. */
export type InclusionProof = {
  minute: { minute: string; count: number; leafIndex: number };
  minutePath: readonly string[];
  leafIndex: number;
  treeSize: number;
  path: readonly string[];
};

/** What finds an event of a category. */
export type EventName = {
  eventId: string;
  /** Only a public event has it. */
  aggregateId?: string | undefined;
  /** Only some log events have one. */
  agent?: string | undefined;
};

/** Events of a range of time, or those that were given up. */
export type ReplayRequest =
  | {
      /** By the time of acceptance. */
      from: Date;
      to: Date;
      types?: readonly string[];
      /** Only these events of the range. */
      eventIds?: readonly string[];
    }
  | { givenUp: true };
export type TestOptions = {
  /** For a bucket: the text in the object that the service wrote there. */
  proof?: string;
  /** Also sends an event of this type, which {@link isTest} knows. */
  type?: string;
  /** How long to wait. After that, the test may still be under way. */
  timeoutMs?: number;
};
export type Replay = {
  replayId: string;
  state?: 'running' | 'done' | 'failed';
  eventsSent?: number;
  reason?: string;
  [member: string]: unknown;
};
