import { minutes, seconds } from '../../kernel/time.ts';

/**
 * How long after its end a minute stays open, in milliseconds. The Lambda that closes minutes runs each minute, so a minute is
 * closed 20 to 80 seconds after its end. Events that the index shows later join a later batch.
 */
export const openForMs = 20 * seconds;

/**
 * So long after its end, and after it was marked, a busy minute is looked at again, in milliseconds. The time of acceptance is taken at most 30 seconds
 * before the event is committed, and the index follows within a second.
 */
export const watchedForMs = 2 * minutes;

/** So long after its end an open minute is measured, in milliseconds: usually it is closed long before. */
export const lateAfterMs = 5 * minutes;

/** The minute of a time, by its begin, in RFC 3339. */
export const minuteOf = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 16)}:00Z`;

/** Milliseconds since 1970. */
export const beginOf = (minute: string): number => Date.parse(minute);
export const endOf = (minute: string): number => beginOf(minute) + minutes;

/** The last minute that may be closed. */
export const lastClosable = (now: number): string => minuteOf(now - openForMs - minutes);
