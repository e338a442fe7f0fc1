import { hours } from './time.ts';

const days = 24 * hours;

/**
 * How long each kind of data lives, in milliseconds: the only place where it is said. What is not here stays until it is
 * removed: devices, a user's history of pushes, tenants; logs live as the stage's config says.
 */
export const retention = {
  /** A confirmation with its message, and the evidence of its answer, from its end on (contract part 1). */
  confirmation: 24 * hours,
  /** An enrolment, with the hash of its code, from its expiry on. */
  enrolment: 24 * hours,
  /** A recorded event, for replays, from its acceptance on. */
  event: 14 * days,
  /** What waits in a queue, as for a target that does not take it: the longest that SQS keeps a message. */
  waiting: 14 * days,
  /** A stream's record that was given up. Not longer than the event that it tells of. */
  failedRecord: 14 * days,
} as const;
