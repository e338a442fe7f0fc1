import type { Challenge } from '../../../client/contract.ts';
import type { Print } from './step-reporter.ts';

/** The device of the demo: the simulated phone, the web app in a browser, or whatever the reader has at hand. */
export type DemoDevice = {
  /** As the titles of steps call it: "the phone". */
  title: string;
  /** What it does with the QR code. */
  enrolling: string;
  /** Whether a push provider reaches it. Without one it fetches its challenges while it is open. */
  pushToken?: string;
  enrol: (qr: string, print: Print) => Promise<void>;
  /** Waits until the user sees the message. */
  show: (challenge: Asked, print: Print) => Promise<void>;
  /** Does what the user decides, and waits until the device has sent it. */
  answer: (challenge: Asked, decision: 'confirm' | 'deny', print: Print) => Promise<void>;
  close: () => Promise<void>;
};

export type Asked = Pick<Challenge, 'challengeId' | 'message'>;
