import type { Refusal } from '../http/exchange.ts';

export type Device = { deviceId: string; name: string; isReachable: boolean };

/** What the server says once it has asked the user. */
export type Asked = {
  id: string;
  message: string;
  deviceName?: string;
  /** False if the notification may not arrive. The user can still open the app. */
  isDelivered: boolean;
  matchCode?: string;
};

/** How a confirmation ends. */
export type Outcome = {
  status: 'confirmed' | 'denied' | 'expired' | 'cancelled' | 'failed';
  reason?: string;
};

export type Problem = {
  /** A refusal's code, or `form-changed`, `lost`. */
  code: string;
  /** 0 if there was no answer. */
  status: number;
  detail?: string;
  /** The user can try again from this time on. */
  until?: number;
};

export type Pending = {
  at: 'pending';
  asked: Asked;
  /** When the confirmation expires, by the page's own clock that nobody sets. */
  deadline: number;
  lifetimeMs: number;
  /** True while the server does not answer. */
  isLost: boolean;
  /** True while the user's wish to cancel is on its way. */
  isLeaving: boolean;
};

export type Step =
  | { at: 'loading'; startsThen: boolean }
  | { at: 'ready' }
  | { at: 'no-device' }
  | { at: 'sending'; run: number }
  | Pending
  | { at: 'confirmed'; id: string; deviceName?: string }
  | { at: 'ended'; outcome: Outcome; deviceName?: string }
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
  | { type: 'devices'; devices: readonly Device[] }
  | { type: 'chosen'; deviceId: string }
  | { type: 'started' }
  | { type: 'sent'; run: number; asked: Asked; expiresInMs: number; intervalMs: number }
  | {
      type: 'polled';
      id: string;
      outcome: Outcome | undefined;
      expiresInMs: number;
      intervalMs: number;
    }
  | { type: 'refused'; what: 'devices' | 'poll' | 'withdrawal'; refusal: Refusal }
  | { type: 'not-sent'; run: number; refusal: Refusal }
  | { type: 'cancelled' }
  | { type: 'withdrawn'; id: string }
  | { type: 'left' }
  | { type: 'returned' }
  | { type: 'form-changed' }
  | { type: 'reset' };

export type Effect =
  | { type: 'load-devices' }
  | { type: 'send'; run: number; deviceId: string | undefined }
  | { type: 'poll'; id: string; afterMs: number }
  | { type: 'withdraw'; id: string; isLast: boolean }
  | { type: 'confirm'; id: string }
  | { type: 'end'; outcome: Outcome }
  | { type: 'no-device' }
  | { type: 'problem'; problem: Problem };

export const initial: State = {
  step: { at: 'loading', startsThen: false },
  devices: [],
  isFixed: false,
  run: 0,
};
