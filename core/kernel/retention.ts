import { hours } from './time.ts';

const days = 24 * hours;

/**
 * How long each kind of data is kept, in milliseconds. Everything else is kept until it is removed: devices, push histories,
 * tenants. The stage's configuration sets the retention of logs.
 */
export const retention = {
  /** A confirmation with its message and evidence, from its expiry on. */
  confirmation: 24 * hours,
  /** An enrolment with the hash of its code, from its expiry on. */
  enrolment: 24 * hours,
  /** A recorded event, for replays, from its acceptance on. */
  event: 14 * days,
  /** A signal that waits to be polled. */
  signal: 14 * days,
  /** An attempt to deliver events, for those who look why they do not arrive. */
  attempt: 3 * days,
  /** A message in a queue, for example for a target that does not accept it: the maximum of SQS. */
  waiting: 14 * days,
  /** A failed record of a stream. Not longer than its event. */
  failedRecord: 14 * days,
} as const;
