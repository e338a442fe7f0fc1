import {
  confirmationView,
  pollInterval,
  statusAt,
  type Confirmation,
} from '../confirmations/confirmation.ts';
import { json, type Answer } from './responses.ts';

/** `repeated`: an earlier call made the confirmation, and this one pushed nothing. */
type Asked = { confirmation: Confirmation; repeated: boolean };

const retryAfter = (confirmation: Confirmation, now: number): Record<string, string> =>
  statusAt(confirmation, now) === 'pending' ? { 'retry-after': String(pollInterval(confirmation, now)) } : {};

/** `Confirmation` of contract part 1, as a poll answers it. */
export const confirmationAnswer = (confirmation: Confirmation, now: number): Answer =>
  json(200, confirmationView(confirmation, now), retryAfter(confirmation, now));

/** As the POST and its repetition answer it: with the number for the website's screen. */
export function acceptedAnswer({ confirmation, repeated }: Asked, now: number): Answer {
  const matchCode = confirmation.matchNumbers?.code;
  return json(
    202,
    {
      ...confirmationView(confirmation, now),
      ...(matchCode !== undefined && { matchCode }),
      ...(repeated && { repeated }),
    },
    retryAfter(confirmation, now),
  );
}
