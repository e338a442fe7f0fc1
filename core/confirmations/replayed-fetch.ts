import type { Fetch } from './confirmation.ts';
import { Refusal } from '../kernel/refusal.ts';

/**
 * Whether the challenge was shown to a later request, or to this very message in another call.
 *
 * @param fetched the newest request of this device that got the challenge
 */
export const isReplay = (fetched: Fetch | undefined, { issuedAt, jwsHash, call }: Fetch): boolean =>
  fetched !== undefined &&
  fetched.call !== call &&
  (fetched.issuedAt > issuedAt || (fetched.issuedAt === issuedAt && fetched.jwsHash === jwsHash));

/** @throws {Refusal} `stale-request` if the open challenge must not be shown to the request */
export function checkFetch(fetched: Fetch | undefined, fetch: Fetch): void {
  if (!isReplay(fetched, fetch)) return;
  throw new Refusal(
    'stale-request',
    'This request for challenges, or a newer one, was used before. Sign a new one.',
  );
}
