import { Refusal } from '../kernel/refusal.ts';
import type { Confirmation } from './confirmation.ts';

/** A request by CIBA belongs to its client and the token endpoint, and a vote to its group: here they are unknown. */
export const isOfWebsite = (found: Confirmation | undefined): found is Confirmation =>
  found !== undefined && found.ciba === undefined && found.groupId === undefined;

/** A request by CIBA of this client, which alone may withdraw it. */
export const isAskedByCiba = (found: Confirmation | undefined, clientId: string): found is Confirmation =>
  found?.ciba !== undefined && found.clientId === clientId;

export const confirmationNotFound = (): Refusal =>
  new Refusal('confirmation-not-found', 'There is no confirmation with this nonce.');
