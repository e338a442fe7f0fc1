import type { DynamoDBRecord } from 'aws-lambda';
import { targetOf } from '../../events/event-keys.ts';
import { describeTarget } from '../../events/target-ref.ts';
import type { BusyMinute } from './busy-minute-store.ts';
import { isInLog } from './checkpoint-event.ts';
import { minuteOf } from './minute.ts';

/** A sequence begins with its time. */
const digitsOfTime = 13;

/** The minutes of acceptance of a batch of the events table's stream. What cannot be read as an event has none. */
export function busyMinutesIn(records: readonly DynamoDBRecord[]): BusyMinute[] {
  const found = new Map<string, BusyMinute>();
  for (const { eventName, dynamodb } of records) {
    const { pk, sequence, type } = dynamodb?.NewImage ?? {};
    const acceptedAt = Number.parseInt(sequence?.S?.slice(0, digitsOfTime) ?? '', 10);
    const ref = targetOf(pk?.S ?? '');
    if (eventName !== 'INSERT' || !ref || Number.isNaN(acceptedAt) || !isInLog(type?.S ?? '')) continue;
    const minute = minuteOf(acceptedAt);
    found.set(`${minute} ${describeTarget(ref)}`, { ref, minute });
  }
  return [...found.values()];
}
