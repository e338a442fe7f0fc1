import type { Confirmation, Fetch } from './confirmation.ts';
import { Refusal } from '../kernel/refusal.ts';

/** Whether the challenge was shown to a later request, or to this very message in another call. */
export const isReplay = ({ fetched }: Confirmation, { issuedAt, jwsHash, call }: Fetch): boolean =>
  fetched !== undefined &&
  fetched.call !== call &&
  (fetched.issuedAt > issuedAt || (fetched.issuedAt === issuedAt && fetched.jwsHash === jwsHash));

/** @throws {Refusal} `stale-request` if the open challenge must not be shown to the request */
export function checkFetch(confirmation: Confirmation, fetch: Fetch): void {
  if (!isReplay(confirmation, fetch)) return;
  throw new Refusal(
    'stale-request',
    'This request for challenges, or a newer one, was used before. Sign a new one.',
  );
}
