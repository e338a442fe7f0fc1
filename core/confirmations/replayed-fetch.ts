import type { Confirmation, Fetch } from './confirmation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { rfc3339, seconds } from '../kernel/time.ts';

/** How far a device's clock may be behind without a repetition. */
const tolerance = 5 * seconds;

/** A request shows only challenges that were made before it was signed, so that a captured one shows no later question. */
export const latestShownTo = ({ issuedAt }: Fetch): number => issuedAt + tolerance;

/** Whether the challenge was shown to a later request, or to this very message in another call. */
export const isReplay = ({ fetched }: Confirmation, { issuedAt, jwsHash, call }: Fetch): boolean =>
  fetched !== undefined &&
  fetched.call !== call &&
  (fetched.issuedAt > issuedAt || (fetched.issuedAt === issuedAt && fetched.jwsHash === jwsHash));

/** @throws {Refusal} `clock-skew` or `stale-request` if the open challenge must not be shown to the request */
export function checkFetch(confirmation: Confirmation, fetch: Fetch, now: number): void {
  if (confirmation.createdAt > latestShownTo(fetch)) {
    const detail = 'The claim iat is older than a challenge that is open: see serverTime.';
    throw new Refusal('clock-skew', detail, { serverTime: rfc3339(now) });
  }
  if (!isReplay(confirmation, fetch)) return;
  throw new Refusal(
    'stale-request',
    'The challenge was shown to this message or to a newer one: sign again.',
  );
}
