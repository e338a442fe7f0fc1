import { Refusal } from '../kernel/refusal.ts';
import type { Confirmation } from './confirmation.ts';

/** What was asked by CIBA is between that client and the token endpoint: for websites it does not exist. */
export const isOfWebsite = (found: Confirmation | undefined): found is Confirmation =>
  found !== undefined && found.ciba === undefined;

export const confirmationNotFound = (): Refusal =>
  new Refusal('confirmation-not-found', 'There is no confirmation with this nonce.');
