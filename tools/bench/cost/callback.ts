import { callbackBytes } from './answers.ts';
import type { Assumptions } from './assumptions.ts';
import { logBytes } from './log-lines.ts';
import { requests } from './round-trips.ts';
import { messageRequests } from './units.ts';
import { invocation, sum, times, trips, type Usage } from './usage.ts';

/**
 * From the event of a confirmation's end to the website. A batch of call-backs is sent at the same time, so its Lambda waits
 * for the slowest.
 */
export function callback(assumed: Assumptions): Usage {
  const { batch, durations, coldStarts } = assumed;
  const messages = Math.min(10, batch);
  // A call of SQS sends, receives or deletes up to ten messages.
  const calls = 3 / messages;
  return sum([
    times(1 / batch, invocation(durations.schedule, assumed)),
    times(1 / messages, invocation(durations.callback, assumed)),
    trips(requests.callback, assumed),
    {
      sqsRequests: calls * messageRequests(200),
      transferBytes: callbackBytes,
      // A Lambda keeps the secrets that it opened.
      kmsRequests: coldStarts.share,
      logBytes: logBytes.application * (1 + 1 / batch) + logBytes.metric / messages,
    },
  ]);
}
