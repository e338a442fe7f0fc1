import {
  confirmationView,
  pollInterval,
  statusAt,
  type Confirmation,
} from '../confirmations/confirmation.ts';
import { json, type HttpResponse } from './responses.ts';

/** `repeated`: an earlier request made the confirmation, and this one sent no push. */
type SendResult = { confirmation: Confirmation; repeated: boolean };

const retryAfter = (confirmation: Confirmation, now: number): Record<string, string> =>
  statusAt(confirmation, now) === 'pending' ? { 'retry-after': String(pollInterval(confirmation, now)) } : {};

/** The response to a poll. */
export const confirmationResponse = (confirmation: Confirmation, now: number): HttpResponse =>
  json(200, confirmationView(confirmation, now), retryAfter(confirmation, now));

/** The response to a POST and its repetition, with the number for the website's screen. */
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
