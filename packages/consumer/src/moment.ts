import { ConsumerError } from './consumer-error.ts';
import type { Event } from './event.ts';

const time = /^(.{10}T\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:Z|([+-]\d\d)(?::?(\d\d))?)$/;

type Parts = { minute: string; second: string; fraction: string; hours: string; minutes: string };

const malformed = (): ConsumerError =>
  new ConsumerError('malformed-time', 'occurredTime is not ISO 8601 with an offset.');

function partsOf(occurredTime: string): Parts {
  const found = time.exec(occurredTime);
  if (!found) throw malformed();
  const [, minute = '', second = '00', fraction = '0', hours = '+00', minutes = '00'] = found;
  return { minute, second, fraction, hours, minutes };
}

/**
 * Milliseconds since 1970, with a fraction. Producers may write any ISO 8601, also forms that `Date` does not know.
 *
 * @throws {ConsumerError} `malformed-time`
 */
export function momentOf({ metadata: { occurredTime } }: Event): number {
  const { minute, second, fraction, hours, minutes } = partsOf(occurredTime);
  const start = Date.parse(`${minute}:00${hours}:${minutes}`);
  if (Number.isNaN(start)) throw malformed();
  return start + Number(`${second}.${fraction}`) * 1000;
}

/** Minutes that the producer's clock was ahead of UTC. */
export function offsetOf({ metadata: { occurredTime } }: Event): number {
  const { hours, minutes } = partsOf(occurredTime);
  const size = Math.abs(Number(hours)) * 60 + Number(minutes);
  return hours.startsWith('-') ? -size : size;
}

/** For events of a bucket, which have no order. Events of the same moment stay as they were. */
export const sortByTime = (events: readonly Event[]): Event[] => {
  const moments = new Map(events.map((event) => [event, momentOf(event)]));
  return events.toSorted((a, b) => (moments.get(a) ?? 0) - (moments.get(b) ?? 0));
};
