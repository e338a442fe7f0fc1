import type { Omi } from '#website';
import type { ExportReader } from '../client/export-reader.ts';
import type { StackFile } from '../client/local-stack.ts';
import type { WebsiteClient } from '../../../client/website-client.ts';
import type { Patience } from '../../../client/waiting.ts';
import type { StepReporter, Print } from './step-reporter.ts';
import type { Challenge } from '../../../client/contract.ts';

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

/** The participants of the demo. */
export type DemoContext = {
  stack: StackFile;
  website: Omi;
  /** The platform's other services, which record events. They use the same client. */
  services: WebsiteClient;
  device: DemoDevice;
  /** How long the user may take for an enrolment or an answer. */
  patience: Patience;
  userId: string;
  reporter: StepReporter;
  /** Readers of the tenant's exported events. */
  exports: Record<'public' | 'log', ExportReader>;
};
