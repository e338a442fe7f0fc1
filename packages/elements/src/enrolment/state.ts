import type { Refusal } from '../http/exchange.ts';

/** What the server answers when it has started an enrolment. */
export type Started = {
  id: string;
  link: string;
  expiresInMs: number;
  /** The label of the user's account, which the app shows as well. */
  account?: string;
};

/** What the server answers when it is asked whether a device has used the link. */
export type Look = { status: 'waiting' | 'completed' | 'expired'; device?: { name?: string } };

export type Waiting = Started & {
  at: 'waiting';
  /** When the link expires, by the page's own clock that nobody sets. */
  deadline: number;
  /** True while the server does not answer. */
  isLost: boolean;
};

export type Step =
  | { at: 'starting' }
  | Waiting
  | { at: 'completed'; deviceName: string | undefined }
  | { at: 'expired' }
  | { at: 'stopped'; problem: Refusal & { until?: number | undefined } };

/** `run` is the number of the latest attempt. An answer to an earlier one comes too late. */
export type State = { step: Step; run: number };

export type Message =
  | { type: 'opened' }
  | { type: 'started'; run: number; started: Started }
  | { type: 'not-started'; run: number; refusal: Refusal }
  | { type: 'looked'; id: string; look: Look }
  | { type: 'not-looked'; id: string; refusal: Refusal }
  | { type: 'closed' }
  | { type: 'returned' };

export type Effect =
  | { type: 'start'; run: number }
  | { type: 'look'; id: string; afterMs: number }
  | { type: 'enrolled'; device: unknown }
  | { type: 'problem'; code: string };

export const initial: State = { step: { at: 'starting' }, run: 0 };
