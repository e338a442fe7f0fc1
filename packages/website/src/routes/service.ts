import type { Omi } from '../omi.ts';

/** What the routes need of {@link Omi}. */
export type Service = Pick<
  Omi,
  | 'send'
  | 'poll'
  | 'withdraw'
  | 'withdrawAll'
  | 'devices'
  | 'enrol'
  | 'enrolment'
  | 'verifyEvidence'
  | 'verifyCallback'
  | 'hasCallbacks'
  | 'now'
>;
