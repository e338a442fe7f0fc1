const minuteMs = 60_000;

/**
 * The time of a stream record, in milliseconds. DynamoDB Local truncates it to the minute. Records are read at once, so now
 * is the best estimate within that minute.
 *
 * Remove when DynamoDB Local returns `ApproximateCreationDateTime` to the second.
 */
export function creationTime(truncated: Date): number {
  const time = truncated.getTime();
  return time % minuteMs === 0 ? Math.max(time, Math.min(Date.now(), time + minuteMs - 1)) : time;
}
