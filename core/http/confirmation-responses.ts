import {
  confirmationView,
  pollInterval,
  statusAt,
  type Confirmation,
} from '../confirmations/confirmation.ts';
import { json, type HttpResponse } from './responses.ts';

/** `repeated`: an earlier call made the confirmation, and this one pushed nothing. */
type SendResult = { confirmation: Confirmation; repeated: boolean };

const retryAfter = (confirmation: Confirmation, now: number): Record<string, string> =>
  statusAt(confirmation, now) === 'pending' ? { 'retry-after': String(pollInterval(confirmation, now)) } : {};

/** `Confirmation` of contract part 1, as a poll answers it. */
export const confirmationResponse = (confirmation: Confirmation, now: number): HttpResponse =>
  json(200, confirmationView(confirmation, now), retryAfter(confirmation, now));

/** As the POST and its repetition answer it: with the number for the website's screen. */
export function acceptedResponse({ confirmation, repeated }: SendResult, now: number): HttpResponse {
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
