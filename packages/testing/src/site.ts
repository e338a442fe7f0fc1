import type { Clock } from './clock.ts';
import type { SigningKey } from './signing-key.ts';

/** What everything of one test service shares. */
export type Site = { baseUrl: string; tenantId: string; receipts: SigningKey; clock: Clock };
