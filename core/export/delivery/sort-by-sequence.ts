import type { CommittedEvent } from '../../events/event-stream.ts';

function areKeysInOrder(events: readonly CommittedEvent[]): boolean {
  const latest = new Map<string, string>();
  for (const { orderingKey, sequence } of events) {
    const before = latest.get(orderingKey);
    if (before !== undefined && before > sequence) return false;
    latest.set(orderingKey, sequence);
  }
  return true;
}

const compare = (a: CommittedEvent, b: CommittedEvent): number =>
  a.sequence < b.sequence ? -1 : Number(a.sequence > b.sequence);

/**
 * Events with the same ordering key in order of acceptance. A stream shows what was written in one transaction in any
 * order (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html); nearly always it is
 * right, and then nothing is moved.
 */
export const sortBySequence = (events: readonly CommittedEvent[]): readonly CommittedEvent[] =>
  areKeysInOrder(events) ? events : events.toSorted(compare);
