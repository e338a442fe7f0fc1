import type { DynamoDBRecord } from 'aws-lambda';
import {
  isUnreadable,
  readStreamRecord,
  type CommittedEvent,
  type UnreadableItem,
} from '../../events/event-stream.ts';
import { describeTarget, type TargetRef } from '../../events/target-ref.ts';

/** Events of one target, in the order of the stream. */
export type Share = { ref: TargetRef; events: CommittedEvent[] };

export type Shares = { shares: Share[]; unreadable: UnreadableItem[] };

/** Events by target. An item that tells none is set aside, and the others go on. */
export function groupByTarget(records: readonly DynamoDBRecord[]): Shares {
  const byName = new Map<string, Share>();
  // Most events of a target share the very object that names it, which is quicker to find than its name.
  const byRef = new Map<TargetRef, Share>();
  const shareOf = (ref: TargetRef): Share => {
    const share = byName.get(describeTarget(ref)) ?? { ref, events: [] };
    byName.set(describeTarget(ref), share);
    byRef.set(ref, share);
    return share;
  };
  const unreadable: UnreadableItem[] = [];
  for (const record of records) {
    // What is swept after its time, or marked, is no news.
    const found = record.eventName === 'INSERT' ? readStreamRecord(record) : [];
    if (isUnreadable(found)) unreadable.push(found);
    else for (const event of found) (byRef.get(event.ref) ?? shareOf(event.ref)).events.push(event);
  }
  return { shares: [...byName.values()], unreadable };
}
