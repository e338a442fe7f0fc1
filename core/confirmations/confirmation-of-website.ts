import { Refusal } from '../kernel/refusal.ts';
import type { Confirmation } from './confirmation.ts';

/** A request by CIBA belongs to its client and the token endpoint. Websites cannot see it. */
export const isOfWebsite = (found: Confirmation | undefined): found is Confirmation =>
  found !== undefined && found.ciba === undefined;

export const confirmationNotFound = (): Refusal =>
  new Refusal('confirmation-not-found', 'There is no confirmation with this nonce.');
