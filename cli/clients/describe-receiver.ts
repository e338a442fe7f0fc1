import type { Receiver } from '../../core/callbacks/receiver.ts';
import { rfc3339 } from '../../core/kernel/time.ts';
import { CommandError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';

/** The receiver of callbacks or pings as JSON, never with a secret. */
export const receiverView = ({ url, state, since, reason, pausedUntil, lastTest }: Receiver) => ({
  url,
  state,
  since: rfc3339(since),
  ...(reason !== undefined && { reason }),
  ...(pausedUntil !== undefined && { pausedUntil: rfc3339(pausedUntil) }),
  ...(lastTest && {
    lastTest: { at: rfc3339(lastTest.at), succeeded: lastTest.succeeded, reason: lastTest.reason },
  }),
});

export const describeReceiver = ({ url, state, since, reason }: Receiver): string =>
  `${url} (${state} since ${rfc3339(since)}${reason === undefined ? '' : `: ${reason}`})`;

export const describeTest = ({ lastTest }: Receiver): string | undefined =>
  lastTest && `${lastTest.succeeded ? 'succeeded' : 'failed'} at ${rfc3339(lastTest.at)}: ${lastTest.reason}`;

export const noCallbacks = (clientId: string, { selector }: Deployment): CommandError =>
  new CommandError(
    `The client ${clientId} has no callbacks.`,
    `Register a URL: omi client set ${clientId} --callback-url <url> ${selector}`,
  );
