import type { Confirmed, FinalConfirmation } from '../types.ts';
import { Kept } from './kept.ts';
import type { Question } from './question.ts';
import type { Store } from './store.ts';

/** What was asked. It is written once, before the question is sent, and taken when the confirmation is used. */
export type AskedRecord = {
  nonce: string;
  /** Session and user. */
  owner: string;
  userId: string;
  deviceId?: string | undefined;
  question: Question;
  /** By the website's clock, as all times here: the service's may differ. */
  askedAt: number;
  ttlSeconds: number;
};

/** While it is pending: when the service may be asked again. */
export type Schedule = { endsAt: number; interval: number; nextPollAt: number };

/** How it ended. */
export type Result = {
  status: FinalConfirmation['status'];
  reason?: string | undefined;
  /** With `evidence_invalid`: the check that failed. */
  code?: string;
  decidedAt?: number;
  /** Only if it is confirmed, and verified. */
  confirmation?: Confirmed;
};

/**
 * What the store has of confirmations. `asked` is never written again, so a confirmation that was used stays used.
 * `results` and `schedules` are apart, so no late `pending` replaces a result.
 */
export function recordsIn(store: Store) {
  return {
    asked: new Kept<AskedRecord>(store, 'asked'),
    schedules: new Kept<Schedule>(store, 'schedule'),
    results: new Kept<Result>(store, 'result'),
    /** Ids by challenge id, for callbacks. */
    challenges: new Kept<string>(store, 'challenge'),
  };
}
