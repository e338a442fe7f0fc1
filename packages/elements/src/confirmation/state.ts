import type { Refusal } from '../http/exchange.ts';

export type Device = { deviceId: string; name: string; status: 'active' | 'unreachable' };

/** What the server answers once it has asked the user. */
export type Asked = Timing & {
  id: string;
  message: string;
  deviceName?: string | undefined;
  /** The device may be this browser. */
  perhapsHere?: boolean | undefined;
  /** Other than `sent`: the notification may not arrive, and the user opens the app. */
  delivery: string;
  matchCode?: string | undefined;
  /** Opens the request in the app, for a user whose app is on the same phone. */
  appUrl?: string | undefined;
};

/** `interval` is the pause before the next look, in seconds. */
type Timing = { expiresInMs: number; interval: number };

/** What the server answers when it is asked for the result. */
export type Look = Timing & { status: Outcome['status'] | 'pending'; reason?: string | undefined };

/** How a confirmation ends. */
export type Outcome = {
  status: 'confirmed' | 'denied' | 'expired' | 'cancelled' | 'failed';
  reason?: string | undefined;
};

export type Problem = {
  /** A refusal's code, or `form-changed`, `lost`. */
  code: string;
  /** 0 if there was no answer. */
  status: number;
  detail?: string | undefined;
  /** The user can try again from this time on. */
  until?: number | undefined;
};

export type Pending = Asked & {
  at: 'pending';
  /** When the confirmation expires, by the page's own clock that nobody sets. */
  deadline: number;
  /** True while the server does not answer. */
  isLost: boolean;
  /** True while the user's wish to cancel is on its way. */
  isLeaving: boolean;
};

export type Step =
  | { at: 'loading'; startsThen: boolean }
  | { at: 'ready' }
  | { at: 'no-device' }
  | { at: 'sending' }
  | Pending
  | { at: 'confirmed'; deviceName: string | undefined }
  | { at: 'ended'; outcome: Outcome; deviceName: string | undefined }
  | { at: 'stopped'; problem: Problem };

export type State = {
  step: Step;
  devices: readonly Device[];
  /** The device that is asked. Undefined: the user's only one. */
  deviceId?: string | undefined;
  /** The page has fixed the device, so that there is nothing to choose. */
  isFixed: boolean;
  /** Number of the latest attempt. An answer to an earlier one comes too late. */
  run: number;
};

export type Message =
  | { type: 'opened'; deviceId?: string | undefined }
  /** The element has come into view. */
  | { type: 'seen' }
  /** The page has set up another device. */
  | { type: 'enrolled' }
  | { type: 'devices'; devices: readonly Device[] }
  | { type: 'no-devices'; refusal: Refusal }
  | { type: 'chosen'; deviceId: string }
  | { type: 'started' }
  /** The user wants the other request to be withdrawn. */
  | { type: 'others-unwanted' }
  | { type: 'others-withdrawn'; run: number }
  | { type: 'sent'; run: number; asked: Asked }
  | { type: 'not-sent'; run: number; refusal: Refusal }
  | { type: 'looked'; id: string; look: Look }
  /** Refused was a look, or the wish to cancel. */
  | { type: 'refused'; id: string; refusal: Refusal }
  | { type: 'cancelled' }
  | { type: 'withdrawn'; id: string }
  | { type: 'left' }
  | { type: 'returned' }
  | { type: 'form-changed' }
  | { type: 'reset' };

export type Effect =
  | { type: 'load-devices' }
  | { type: 'send'; run: number; deviceId: string | undefined }
  | { type: 'look'; id: string; afterMs: number }
  | { type: 'withdraw-others'; run: number }
  | { type: 'withdraw'; id: string; isLast: boolean }
  | { type: 'end'; id: string; outcome: Outcome }
  | { type: 'no-device' }
  | { type: 'problem'; problem: Problem };

export const initial: State = {
  step: { at: 'loading', startsThen: false },
  devices: [],
  isFixed: false,
  run: 0,
};
